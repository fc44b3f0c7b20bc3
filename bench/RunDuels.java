import dev.robocode.tankroyale.runner.BattleRunner;
import dev.robocode.tankroyale.runner.BattleSetup;
import dev.robocode.tankroyale.runner.BotEntry;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Plays duels with the official runner: ROUNDS, then pairs of bot directories. Prints, for each, rounds and seconds since the start. */
public class RunDuels {
    public static void main(String[] args) {
        Logger.getLogger("dev.robocode.tankroyale").setLevel(Level.SEVERE);
        long began = System.nanoTime();
        int rounds = Integer.parseInt(args[0]);
        try (var runner = BattleRunner.create(b -> b.embeddedServer().suppressServerOutput())) {
            for (int i = 1; i < args.length; i += 2) {
                var setup = BattleSetup.oneVsOne(s -> s.setNumberOfRounds(rounds));
                int played = 0;
                try {
                    var bots = List.of(BotEntry.of(args[i]), BotEntry.of(args[i + 1]));
                    played = runner.runBattle(setup, bots).getNumberOfRounds();
                } catch (RuntimeException error) {
                    System.err.println(error.getMessage());
                }
                System.out.printf("%d %.1f%n", played, (System.nanoTime() - began) / 1e9);
            }
        }
        System.exit(0);
    }
}
