/** A transaction of a service on a connection to a PostgreSQL server. */
interface SeenTransaction {
  /** Round trips: how often the service sent something while no response was outstanding. */
  trips: number
  /** Everything that the service sent. */
  sent: string
}

type Side = 'service' | 'server'

/**
 * Decodes the messages of a connection to a PostgreSQL server, from its start or a time at which neither side was in the middle of a
 * message.
 */
export class PostgresMessages {
  readonly transactions: SeenTransaction[] = []
  #owed = 0
  #rest: Readonly<Record<Side, Buffer>> = { service: Buffer.alloc(0), server: Buffer.alloc(0) }

  carry(from: Side, bytes: Buffer): void {
    for (const message of this.#messagesIn(from, bytes)) {
      const type = String.fromCharCode(message[0] ?? 0)
      if (from === 'service') this.#send(type, message.toString('latin1'))
      else if (type === READY) this.#owed -= 1
    }
  }

  #send(type: string, text: string): void {
    if (type === QUERY && text.includes('begin')) this.transactions.push({ trips: 0, sent: '' })
    const transaction = this.transactions.at(-1)
    if (transaction) transaction.sent += text
    if (type !== QUERY && type !== SYNC && type !== STARTUP) return
    if (transaction && this.#owed === 0) transaction.trips += 1
    this.#owed += 1
  }

  #messagesIn(from: Side, bytes: Buffer): Buffer[] {
    let rest = Buffer.concat([this.#rest[from], bytes])
    const messages: Buffer[] = []
    // A message is a type, a length that includes itself, and the content. The first message of a connection has no type.
    while (rest.length >= HEAD) {
      const typeLength = rest[0] === 0 ? 0 : 1
      const length = rest.readInt32BE(typeLength) + typeLength
      if (rest.length < length) break
      messages.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    this.#rest = { ...this.#rest, [from]: rest }
    return messages
  }
}

const HEAD = 5
const READY = 'Z'
const QUERY = 'Q'
const SYNC = 'S'
/**
 * Stands for the type of the startup message, which has none. It is the first byte of the message's length. The response ends like the
 * response to a query.
 */
const STARTUP = '\0'
