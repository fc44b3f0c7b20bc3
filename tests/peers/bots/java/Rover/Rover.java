import dev.robocode.tankroyale.botapi.events.*;

/** Turns its radar until it sees a tank, then drives at the tank and fires. Uses setters and go(). */
public class Rover extends LoggedBot {
    public static void main(String[] args) { new Rover().start(); }

    @Override public void run() {
        while (isRunning()) {
            if (getRadarTurnRemaining() == 0) setTurnRadarRight(360);
            setForward(30);
            go();
        }
    }

    @Override public void onScannedBot(ScannedBotEvent event) {
        setTurnRadarLeft(2 * radarBearingTo(event.getX(), event.getY()));
        setTurnLeft(bearingTo(event.getX(), event.getY()));
        setTurnGunLeft(gunBearingTo(event.getX(), event.getY()));
        if (Math.abs(getGunTurnRemaining()) < 5) setFire(getEnergy() > 20 ? 3 : 1);
    }

    @Override public void onHitWall(HitWallEvent event) { setBack(60); }
}
