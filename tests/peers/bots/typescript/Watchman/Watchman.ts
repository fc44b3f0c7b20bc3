import { Bot, TickEvent } from "@robocode.dev/tank-royale-bot-api";

/** Sets its rates in each turn itself, without a blocking call but `go`. */
class Watchman extends Bot {
    override run(): void {
        while (this.isRunning()) {
            this.setTurnRate(3);
            this.setTargetSpeed(4);
            this.go();
        }
    }

    override onTick(_event: TickEvent): void {
        this.setFire(1);
    }
}

new Watchman().start();
