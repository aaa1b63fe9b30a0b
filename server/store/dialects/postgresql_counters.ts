import type { Counters, Draw, Drawn } from '../counters.ts'
import type { Connection } from '../database.ts'
import { rowOf, type RowOf } from '../row_shape.ts'

const REFUSALS_KEPT_MAX = 10_000
const KEYS_MET_MAX = 50_000
/** Shorter than the hour after which a sweep deletes the row of an unused key. */
const KEYS_MET_MS = 30 * 60 * 1000

const drawnRow = rowOf({
  key: 'text',
  charged: 'flag',
  used: 'integer',
  ends_in: 'integer',
})
type DrawnRow = RowOf<typeof drawnRow>

interface Refusal {
  /** When the windows were read, and when the first exhausted one ends, in milliseconds of `performance.now()`. */
  readonly readAt: number
  readonly until: number
  readonly drawn: Drawn
}

/**
 * One statement locks the rows of all budgets, checks them and charges them if none is used up. Rows are locked in the order of their
 * keys, which rules out deadlocks. Times are those of the database, because the clocks of processes may differ.
 */
function statementFor(count: number): string {
  const asked = Array.from({ length: count }, () => '(?::text collate "C", ?::bigint, ?::bigint)').join(', ')
  return `with asked (key, quota, length) as (values ${asked}),
    clock (now) as (select (extract(epoch from now()) * 1000)::bigint),
    held as (select w.key, w.used, w.end_time from budget_windows w join asked a on a.key = w.key order by w.key for update of w),
    charged as (
      insert into budget_windows as w (key, used, end_time)
      select key, 1, now + length from asked, clock
      where not exists (select 1 from held h join asked b on b.key = h.key, clock c where h.end_time > c.now and h.used >= b.quota)
      order by key
      on conflict (key) do update set
        used = case when w.end_time <= (select now from clock) then 1 else w.used + 1 end,
        end_time = case when w.end_time <= (select now from clock) then excluded.end_time else w.end_time end
      returning key, used, end_time)
    select a.key, c.key is not null as charged,
      coalesce(c.used, case when h.end_time > now then h.used else 0 end, 0) as used,
      coalesce(c.end_time, case when h.end_time > now then h.end_time end, now + length) - now as ends_in
    from asked a cross join clock left join charged c on c.key = a.key left join held h on h.key = a.key`
}

const statements = [1, 2].map(statementFor)

/**
 * Counters in PostgreSQL: one statement for each request, one more for a key that this process has not seen lately, none for a budget that
 * is known to be used up.
 */
export class PostgresqlCounters implements Counters {
  readonly #db: Connection
  readonly #refusals = new Map<string, Refusal>()
  readonly #met = new Set<string>()
  #metSince = performance.now()

  /** @param db must run each statement in a transaction of its own */
  constructor(db: Connection) {
    this.#db = db
  }

  async draw(draws: readonly Draw[]): Promise<Drawn> {
    const name = draws.map(({ key }) => key).join()
    const known = this.#refusals.get(name)
    if (known && known.until > performance.now()) return aged(known)
    await this.#makeRows(draws)
    const sql = statements[draws.length - 1] ?? statementFor(draws.length)
    const rows = await this.#db.all(drawnRow, sql, ...draws.flatMap(({ key, quota, seconds }) => [key, quota, seconds * 1000]))
    const drawn = drawnFrom(draws, rows)
    if (drawn.charged) this.#refusals.delete(name)
    else this.#remember(name, draws, drawn)
    return drawn
  }

  async close(): Promise<void> {
    this.#refusals.clear()
  }

  /** Inserts rows for keys that this process has not seen lately, so that concurrent first requests have a row to lock. */
  async #makeRows(draws: readonly Draw[]): Promise<void> {
    if (this.#met.size >= KEYS_MET_MAX || this.#metSince + KEYS_MET_MS < performance.now()) {
      this.#met.clear()
      this.#metSince = performance.now()
    }
    for (const { key } of draws) {
      if (this.#met.has(key)) continue
      await this.#db.run('insert into budget_windows (key, used, end_time) values (?, 0, 0) on conflict do nothing', key)
      this.#met.add(key)
    }
  }

  #remember(name: string, draws: readonly Draw[], drawn: Drawn): void {
    if (this.#refusals.size >= REFUSALS_KEPT_MAX) this.#refusals.clear()
    const ends = drawn.windows.filter(({ used }, index) => used >= (draws[index]?.quota ?? 0)).map(({ endsInMs }) => endsInMs)
    const readAt = performance.now()
    if (ends.length > 0) this.#refusals.set(name, { readAt, until: readAt + Math.min(...ends), drawn })
  }
}

function drawnFrom(draws: readonly Draw[], rows: readonly DrawnRow[]): Drawn {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  let charged = true
  const windows = draws.map(({ key, quota, seconds }) => {
    const row = byKey.get(key)
    if (!row?.charged) charged = false
    return { used: Math.min(row?.used ?? 0, quota), endsInMs: row?.ends_in ?? seconds * 1000 }
  })
  return { charged, windows }
}

function aged({ readAt, drawn }: Refusal): Drawn {
  const age = performance.now() - readAt
  return { charged: false, windows: drawn.windows.map(({ used, endsInMs }) => ({ used, endsInMs: Math.max(0, endsInMs - age) })) }
}
