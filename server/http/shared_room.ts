/** What all may take together. */
export interface RoomLimits {
  /** One caller may have a quarter of them, one address half. */
  readonly countMax: number
  readonly bytesMax: number
}

export interface Sender {
  /** Whoever is known by a token or as a client; else the address. */
  readonly caller: string
  readonly address: string
}

/** Something unfinished that takes room. */
export interface Guest extends Sender {
  bytesHeld: number
  /** Those who are not are cut first. Nobody is busy who does not say so. */
  isBusy?(): boolean
  /** Ends it; it has to leave the room at once. */
  cut(): void
}

const PART_OF_CALLER = 0.25
const PART_OF_ADDRESS = 0.5

/**
 * Room for what waits for callers. Nobody new is turned away: where there is too much, or too many bytes of it, whoever has most loses
 * one, so that callers who finish what they begin are served whatever others leave unfinished.
 */
export class SharedRoom<G extends Guest> {
  readonly #limits: RoomLimits
  /** In the order in which they came. */
  readonly #guests = new Set<G>()
  readonly #ofCaller = new Map<string, number>()
  readonly #ofAddress = new Map<string, number>()
  #bytesHeld = 0

  constructor(limits: RoomLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#guests.size
  }

  [Symbol.iterator](): Iterator<G> {
    return this.#guests.values()
  }

  add(guest: G): void {
    this.#guests.add(guest)
    this.#bytesHeld += guest.bytesHeld
    const { countMax } = this.#limits
    const ofCaller = count(this.#ofCaller, guest.caller, 1)
    const ofAddress = count(this.#ofAddress, guest.address, 1)
    if (ofCaller > atLeastOne(countMax * PART_OF_CALLER)) this.#cutHeaviest(one, ({ caller }) => caller === guest.caller)
    else if (ofAddress > atLeastOne(countMax * PART_OF_ADDRESS))
      this.#cutHeaviest(one, ({ address }) => address === guest.address)
    else if (this.#guests.size > countMax) this.#cutHeaviest(one)
    this.#fitBytes()
  }

  grow(guest: G, bytes: number): void {
    if (!this.#guests.has(guest)) return
    guest.bytesHeld += bytes
    this.#bytesHeld += bytes
    this.#fitBytes()
  }

  remove(guest: G): void {
    if (!this.#guests.delete(guest)) return
    count(this.#ofCaller, guest.caller, -1)
    count(this.#ofAddress, guest.address, -1)
    this.#bytesHeld -= guest.bytesHeld
  }

  /** What is alone may be as large as the contract allows. */
  #fitBytes(): void {
    while (this.#bytesHeld > this.#limits.bytesMax && this.#guests.size > 1) this.#cutHeaviest(({ bytesHeld }) => bytesHeld)
  }

  /** Cuts the heaviest guest of the caller whose guests weigh most; of several, the oldest. */
  #cutHeaviest(weigh: (guest: G) => number, counts: (guest: G) => boolean = () => true): void {
    const weights = new Map<string, number>()
    for (const guest of this.#guests) if (counts(guest)) count(weights, guest.caller, weigh(guest))
    const [most = ''] = [...weights].reduce((left, right) => (right[1] > left[1] ? right : left))
    const owned = [...this.#guests].filter((guest) => guest.caller === most && counts(guest))
    const idle = owned.filter((guest) => !guest.isBusy?.())
    const candidates = idle.length > 0 ? idle : owned
    candidates.reduce((left, right) => (weigh(right) > weigh(left) ? right : left)).cut()
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
