/** Limits on all entries of a pool together. */
export interface PoolLimits {
  /** A quarter of these limits applies to each caller, and half to each address. */
  readonly countMax: number
  readonly bytesMax: number
}

export interface EntryOwner {
  /** The id of the token's user or of the OAuth client; for a caller that is not authenticated, the address. */
  readonly caller: string
  readonly address: string
}

/** A transfer or a connection that holds resources until its client has finished with it. */
export interface PoolEntry extends EntryOwner {
  bytesHeld: number
  /** Idle entries are evicted first. An entry without this method counts as idle. */
  isBusy?(): boolean
  /** Ends the entry. It must remove itself from the pool before it returns. */
  evict(): void
}

const CALLER_SHARE = 0.25
const ADDRESS_SHARE = 0.5

/**
 * A pool that always accepts a new entry. If the number of entries or their bytes then exceed a limit, the caller that owns the most loses
 * an entry: callers that hoard entries cannot lock out others.
 */
export class EvictingPool<Entry extends PoolEntry> {
  readonly #limits: PoolLimits
  /** Oldest first. */
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
    if (ofCaller > atLeastOne(countMax * CALLER_SHARE)) this.#evictHeaviest(one, ({ caller }) => caller === entry.caller)
    else if (ofAddress > atLeastOne(countMax * ADDRESS_SHARE))
      this.#evictHeaviest(one, ({ address }) => address === entry.address)
    else if (this.#entries.size > countMax) this.#evictHeaviest(one)
    this.#fitBytes()
  }

  /** Adds to the bytes that an entry holds; nothing happens if the entry has left the pool. */
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

  /** Evicts entries until their bytes fit. The last one always stays: the contract allows a single entry to be that large. */
  #fitBytes(): void {
    while (this.#bytesHeld > this.#limits.bytesMax && this.#entries.size > 1) this.#evictHeaviest(({ bytesHeld }) => bytesHeld)
  }

  /**
   * Evicts the heaviest entry, or the oldest of several, of the caller whose entries weigh most in total.
   * @param isCandidate whether an entry may be evicted
   */
  #evictHeaviest(weigh: (entry: Entry) => number, isCandidate: (entry: Entry) => boolean = () => true): void {
    const weights = new Map<string, number>()
    for (const entry of this.#entries) if (isCandidate(entry)) count(weights, entry.caller, weigh(entry))
    const [heaviest = ''] = [...weights].reduce((left, right) => (right[1] > left[1] ? right : left))
    const owned = [...this.#entries].filter((entry) => entry.caller === heaviest && isCandidate(entry))
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

/** Adds to the number of a key; a key that reaches 0 is removed. @returns the new number */
function count(numbers: Map<string, number>, key: string, difference: number): number {
  const number = (numbers.get(key) ?? 0) + difference
  if (number === 0) numbers.delete(key)
  else numbers.set(key, number)
  return number
}
