/** The data of the frames of an event stream, as text. A truncated frame does not count. */
export function eventFrames(text: string): readonly string[] {
  return text
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    .map((frame) =>
      frame
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).replace(/^ /, '')] : []))
        .join('\n'),
    )
    .filter((data) => data !== '')
}
