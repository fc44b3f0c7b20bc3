import dev.robocode.tankroyale.botapi.events.*;

/** Follows the walls with its gun inwards. Blocking calls, also inside event handlers. */
public class Mason extends LoggedBot {
    public static void main(String[] args) { new Mason().start(); }

    @Override public void run() {
        double side = Math.max(getArenaWidth(), getArenaHeight());
        turnLeft(-(getDirection() % 90));
        forward(side);
        turnGunLeft(90);
        turnLeft(90);
        while (isRunning()) {
            forward(side);
            turnLeft(90);
        }
    }

    @Override public void onScannedBot(ScannedBotEvent event) { fire(1.5); }

    @Override public void onHitBot(HitBotEvent event) {
        if (Math.abs(bearingTo(event.getX(), event.getY())) < 90) back(80);
        else forward(80);
    }
}
