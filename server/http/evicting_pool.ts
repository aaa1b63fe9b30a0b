/** Limits of all entries together. */
export interface PoolLimits {
  /** One caller may have a quarter of them, one address half. */
  readonly countMax: number
  readonly bytesMax: number
}

export interface EntryOwner {
  /** By token or as a client; the address where neither is known. */
  readonly caller: string
  readonly address: string
}

/** Something unfinished that holds memory or a connection. */
export interface PoolEntry extends EntryOwner {
  bytesHeld: number
  /** Idle entries are evicted first; an entry without this method is idle. */
  isBusy?(): boolean
  /** Ends it; it has to leave the pool at once. */
  evict(): void
}

const PART_OF_CALLER = 0.25
const PART_OF_ADDRESS = 0.5

/**
 * What callers leave unfinished. Newcomers are not turned away: beyond a limit, in number or bytes, the caller with the most loses an
 * entry, so that callers who finish what they begin are served.
 */
export class EvictingPool<Entry extends PoolEntry> {
  readonly #limits: PoolLimits
  /** In the order in which they came. */
  readonly #entries = new Set<Entry>()
  readonly #ofCaller = new Map<string, number>()
  readonly #ofAddress = new Map<string, number>()
  #bytesHeld = 0

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries.values()
  }

  add(entry: Entry): void {
    this.#entries.add(entry)
    this.#bytesHeld += entry.bytesHeld
    const { countMax } = this.#limits
    const ofCaller = count(this.#ofCaller, entry.caller, 1)
    const ofAddress = count(this.#ofAddress, entry.address, 1)
    if (ofCaller > atLeastOne(countMax * PART_OF_CALLER)) this.#evictHeaviest(one, ({ caller }) => caller === entry.caller)
    else if (ofAddress > atLeastOne(countMax * PART_OF_ADDRESS))
      this.#evictHeaviest(one, ({ address }) => address === entry.address)
    else if (this.#entries.size > countMax) this.#evictHeaviest(one)
    this.#fitBytes()
  }

  grow(entry: Entry, bytes: number): void {
    if (!this.#entries.has(entry)) return
    entry.bytesHeld += bytes
    this.#bytesHeld += bytes
    this.#fitBytes()
  }

  remove(entry: Entry): void {
    if (!this.#entries.delete(entry)) return
    count(this.#ofCaller, entry.caller, -1)
    count(this.#ofAddress, entry.address, -1)
    this.#bytesHeld -= entry.bytesHeld
  }

  /** What is alone may be as large as the contract allows. */
  #fitBytes(): void {
    while (this.#bytesHeld > this.#limits.bytesMax && this.#entries.size > 1) this.#evictHeaviest(({ bytesHeld }) => bytesHeld)
  }

  /** Evicts the heaviest entry of the caller whose entries weigh most; of several, the oldest. */
  #evictHeaviest(weigh: (entry: Entry) => number, counts: (entry: Entry) => boolean = () => true): void {
    const weights = new Map<string, number>()
    for (const entry of this.#entries) if (counts(entry)) count(weights, entry.caller, weigh(entry))
    const [most = ''] = [...weights].reduce((left, right) => (right[1] > left[1] ? right : left))
    const owned = [...this.#entries].filter((entry) => entry.caller === most && counts(entry))
    const idle = owned.filter((entry) => !entry.isBusy?.())
    const candidates = idle.length > 0 ? idle : owned
    candidates.reduce((left, right) => (weigh(right) > weigh(left) ? right : left)).evict()
  }
}

function one(): number {
  return 1
}

function atLeastOne(number: number): number {
  return Math.max(1, Math.floor(number))
}

/** @returns the new number of a key */
function count(numbers: Map<string, number>, key: string, difference: number): number {
  const number = (numbers.get(key) ?? 0) + difference
  if (number === 0) numbers.delete(key)
  else numbers.set(key, number)
  return number
}
