/** Tests that kill processes do it a few times in the suite, and more often where `KILLS` is set: see `npm run test:crash`. */
const asked = process.env['KILLS']

/** Whether tests kill more often than in the suite: for minutes, in which each of them starts hundreds of processes. */
export const killsOften = asked !== undefined

/** How often a test kills. @param usual in the suite */
export function killCount(usual: number): number {
  return asked === undefined ? usual : Number(asked)
}

/** Lives of a service that a test gives up at, if no kill has interrupted work. */
const LIVES_MAX = 20

/**
 * Lives of a service, each of which ends with a kill: as many as requested, and more until a kill has interrupted work. On a fast machine
 * all work may be done before the kill.
 */
export function* livesUntil(hasInterrupted: () => boolean, count: number): Generator<number> {
  for (let life = 0; life < count || (!hasInterrupted() && life < LIVES_MAX); life += 1) yield life
}

/** Statuses of a request that was not carried out, and may be sent again: there was no room for it, or the process was stopping. */
export const REFUSALS: readonly number[] = [503, 529]

/** Prints what came of many kills. */
export function reportKills(counts: string): void {
  if (killsOften) process.stdout.write(`\n${asked} kills: ${counts}\n`)
}
