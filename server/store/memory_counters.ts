import type { BudgetWindow, Counters, Draw, Drawn } from './counters.ts'

interface CountedWindow {
  used: number
  /** In milliseconds since 1970. */
  readonly end: number
}

/** Counters in the memory of this process. A window is forgotten when it ends. */
export class MemoryCounters implements Counters {
  readonly #windows = new Map<string, CountedWindow>()

  async draw(draws: readonly Draw[]): Promise<Drawn> {
    const now = Date.now()
    const known = draws.map(({ key }) => this.#current(key, now))
    if (draws.some(({ quota }, index) => (known[index]?.used ?? 0) >= quota))
      return { charged: false, windows: draws.map((one, index) => stateOf(known[index], one, now)) }
    const windows = draws.map((one, index) => {
      const counted = known[index] ?? this.#begin(one, now)
      counted.used += 1
      return stateOf(counted, one, now)
    })
    return { charged: true, windows }
  }

  async close(): Promise<void> {
    this.#windows.clear()
  }

  #current(key: string, now: number): CountedWindow | undefined {
    const counted = this.#windows.get(key)
    // The timer may be late.
    return counted === undefined || counted.end <= now ? undefined : counted
  }

  #begin({ key, seconds }: Draw, now: number): CountedWindow {
    const begun = { used: 0, end: now + seconds * 1000 }
    this.#windows.set(key, begun)
    const forget = (): void => {
      if (this.#windows.get(key) === begun) this.#windows.delete(key)
    }
    setTimeout(forget, seconds * 1000).unref()
    return begun
  }
}

function stateOf(counted: CountedWindow | undefined, { seconds }: Draw, now: number): BudgetWindow {
  return counted === undefined ? { used: 0, endsInMs: seconds * 1000 } : { used: counted.used, endsInMs: counted.end - now }
}
