// @ts-check
// A whole game in the address: the replay, compressed, in the part after #, which a browser never sends to a server.
// It stays text: JavaScript would round its long numbers, and the digest would not fit any more.

const LARGEST = 2_000_000;

async function through(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new Error("too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The text of a replay as letters, digits, - and _. */
export async function packed(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (let first = 0; first < bytes.length; first += 8192)
    letters += String.fromCharCode(...bytes.subarray(first, first + 8192));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text that was packed. */
export async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}
