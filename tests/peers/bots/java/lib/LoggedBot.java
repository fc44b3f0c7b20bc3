import dev.robocode.tankroyale.botapi.Bot;
import dev.robocode.tankroyale.botapi.events.*;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A bot that writes down what it is told of its battle: JSON lines in the folder that PEER_LOG names. */
public abstract class LoggedBot extends Bot {
    /** Append one line to this process's file. */
    protected void log(String kind, String name, Object value) {
        String folder = System.getenv("PEER_LOG");
        if (folder == null) return;
        String shown = value instanceof Number ? value.toString() : '"' + String.valueOf(value).replaceAll("[\"\\\\\\s]+", " ") + '"';
        String line = String.format("{\"kind\": \"%s\", \"bot\": \"%s\", \"%s\": %s}%n", kind, getClass().getSimpleName(), name, shown);
        try {
            Path file = Path.of(folder, ProcessHandle.current().pid() + ".jsonl");
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override public void onGameStarted(GameStartedEvent event) { log("game_started", "id", event.getMyId()); }

    @Override public void onRoundStarted(RoundStartedEvent event) { log("round_started", "round", event.getRoundNumber()); }

    @Override public void onRoundEnded(RoundEndedEvent event) { log("round_ended", "round", event.getRoundNumber()); }

    @Override public void onGameEnded(GameEndedEvent event) { log("game_ended", "rounds", event.getNumberOfRounds()); }

    @Override public void onSkippedTurn(SkippedTurnEvent event) { log("skipped", "turn", event.getTurnNumber()); }

    @Override public void onWonRound(WonRoundEvent event) { log("won", "turn", event.getTurnNumber()); }

    @Override public void onDeath(DeathEvent event) { log("died", "turn", event.getTurnNumber()); }

    @Override public void onConnectionError(ConnectionErrorEvent event) { log("connection_error", "text", event.getError()); }
}
