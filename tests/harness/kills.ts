/** Tests that kill processes do it a few times in the suite, and more often if `KILLS` is set: see `npm run test:crash`. */
const kills = process.env['KILLS']

/** Whether tests kill more often than in the suite: then each test takes minutes and starts hundreds of processes. */
export const killsOften = kills !== undefined

/**
 * The number of kills of a test.
 * @param usual in the suite
 */
export function killCount(usual: number): number {
  return kills === undefined ? usual : Number(kills)
}

/** Maximum lives of a service if no kill has interrupted work. */
const LIVES_MAX = 20

/**
 * Lives of a service, each ending with a kill: the requested number, and more until a kill has interrupted work. On a fast machine all work
 * may be complete before the kill.
 */
export function* livesUntil(hasInterrupted: () => boolean, count: number): Generator<number> {
  for (let life = 0; life < count || (!hasInterrupted() && life < LIVES_MAX); life += 1) yield life
}

/** Statuses of a request that was not executed and may be sent again: there was no free slot, or the process was stopping. */
export const REFUSALS: readonly number[] = [503, 529]

/** Prints the results of many kills. */
export function reportKills(counts: string): void {
  if (killsOften) process.stdout.write(`\n${kills} kills: ${counts}\n`)
}
