import { yieldToEventLoop } from '../../../../kernel/yield_to_event_loop.ts'

const LINES_AT_ONCE = 2_000

/** The lines of a text with any line endings. Other requests can run while a long text is split. */
export async function* linesOf(text: string): AsyncGenerator<string, void, undefined> {
  const ending = /\r\n|\n|\r/g
  let start = 0
  for (let count = 1; ; count += 1) {
    const found = ending.exec(text)
    yield text.slice(start, found?.index ?? text.length)
    if (!found) return
    start = ending.lastIndex
    if (count % LINES_AT_ONCE === 0) await yieldToEventLoop()
  }
}
