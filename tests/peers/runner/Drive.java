import dev.robocode.tankroyale.runner.*;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plays one battle on a running server through the official runner, pauses it, steps and resumes on the way.
 * Arguments: URL, folder for its recording, rounds, bot directories. Prints a line a bot: rank;name;totalScore
 */
public class Drive {
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[2]);
        List<BotEntry> bots = new ArrayList<>();
        for (int i = 3; i < args.length; i++) bots.add(BotEntry.of(args[i]));
        BattleSetup setup = BattleSetup.classic(builder -> builder.setNumberOfRounds(rounds));
        AtomicInteger ticks = new AtomicInteger();
        try (BattleRunner runner = BattleRunner.create(builder -> {
            builder.externalServer(args[0]);
            builder.enableRecording(Path.of(args[1]));
            builder.suppressServerOutput();
        })) {
            try (BattleHandle handle = runner.startBattleAsync(setup, bots)) {
                handle.getOnTickEvent().on(handle, tick -> { ticks.incrementAndGet(); });
                Thread.sleep(300);
                handle.pause();
                Thread.sleep(300);
                int paused = ticks.get();
                Thread.sleep(300);
                System.out.println("paused;" + (ticks.get() - paused));
                handle.nextTurn();
                Thread.sleep(300);
                System.out.println("stepped;" + (ticks.get() - paused));
                handle.resume();
                for (BotResult bot : handle.awaitResults().getResults())
                    System.out.println(bot.getRank() + ";" + bot.getName() + ";" + bot.getTotalScore());
            }
        }
        System.out.println("ticks;" + ticks.get());
        System.exit(0);
    }
}
