import { Bot, ScannedBotEvent } from "@robocode.dev/tank-royale-bot-api";

/** Drives in circles and fires at the tanks that it scans. Uses blocking calls that take many turns. */
class Circler extends Bot {
    override run(): void {
        while (this.isRunning()) {
            this.setTurnLeft(90);
            this.forward(120);
            this.turnGunRight(45);
        }
    }

    override onScannedBot(event: ScannedBotEvent): void {
        this.fire(this.distanceTo(event.x, event.y) < 150 ? 2 : 1);
    }
}

new Circler().start();
