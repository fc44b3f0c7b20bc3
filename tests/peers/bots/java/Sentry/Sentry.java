import dev.robocode.tankroyale.botapi.events.*;

/** Stops and resumes, waits for conditions, has a custom event, and prints. */
public class Sentry extends LoggedBot {
    private double alarm;

    public static void main(String[] args) { new Sentry().start(); }

    @Override public void run() {
        alarm = 80;
        System.out.println("round " + getRoundNumber() + ": on guard");
        addCustomEvent(new Condition("hurt") {
            @Override public boolean test() { return getEnergy() < alarm; }
        });
        Condition arrived = new Condition("arrived") {
            @Override public boolean test() { return getDistanceRemaining() == 0; }
        };
        while (isRunning()) {
            setForward(150);
            setTurnLeft(60);
            waitFor(arrived);
            turnGunRight(180);
            setBack(150);
            waitFor(arrived);
            turnGunRight(180);
        }
    }

    @Override public void onScannedBot(ScannedBotEvent event) {
        stop();
        fire(2);
        rescan();
        resume();
    }

    @Override public void onCustomEvent(CustomEvent event) {
        if (!event.getCondition().getName().equals("hurt")) return;
        System.out.println("hurt: " + getEnergy());
        log("custom", "turn", getTurnNumber());
        alarm -= 15;
    }
}
