/** What a file is: a record of ours or one of Tank Royale's. By its beginning; by its name where that says nothing. */

const HEAD_BYTES = 600;

/**
 * Return the kind of a file.
 * @param {string} name of the file
 * @param {string} head its first characters, unpacked; "" when they could not be read
 * @returns {"record" | "royale"}
 */
export function kindOf(name, head) {
  if (/"type"\s*:\s*"(?:GameStartedEventForObserver|TickEventForObserver|RoundStartedEvent)"/.test(head)) {
    return "royale";
  }
  return head === "" && /\.battle(?:\.gz)?$/i.test(name) ? "royale" : "record";
}

/**
 * Return the first characters of a file, unpacked where it is packed; "" where that fails.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<string>}
 */
export async function headOf(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  }
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    const { value } = await reader.read();
    reader.cancel().catch(() => {});
    return value ? new TextDecoder().decode(value.subarray(0, HEAD_BYTES)) : "";
  } catch {
    return "";
  }
}
