import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Request, Response } from '@workspace-service/server/http/interceptor.ts'
import { CapturedBody } from './captured_body.ts'
import { harOf, type Har } from './har.ts'
import type { JournalEntry } from './journal_entry.ts'
import { examplesOf, type JournalExample } from './journal_examples.ts'
import { seedOf, type JournalSeed } from './journal_seed.ts'
import { entryOf, type Recording } from './recording.ts'
import { isReceived, type ReceivedExpectation } from './received_expectation.ts'

const ENTRIES_MAX = 1_000

/** The requests that a test server has received, and their responses, in the order in which they arrived. Keeps the last thousand. */
export class Journal {
  #kept: (JournalEntry | Recording)[] = []
  readonly #url: () => string

  /** @param url returns the address of the server */
  constructor(url: () => string) {
    this.#url = url
  }

  get entries(): readonly JournalEntry[] {
    return this.#kept.map((one) => ('request' in one ? entryOf(one) : one))
  }

  /** The requests of an operation that match an expectation. */
  received(operation: JournalEntry['operation'], expectation: ReceivedExpectation = {}): readonly JournalEntry[] {
    return this.entries.filter((entry) => entry.operation === operation && isReceived(entry, expectation))
  }

  /** Deletes all entries. */
  clear(): void {
    this.#kept = []
  }

  /** The journal as an HTTP archive (HAR 1.2), which the developer tools of browsers can open. */
  toHar(): Har {
    return harOf(this.#url(), this.entries)
  }

  async saveHar(path: string): Promise<void> {
    await writeFile(path, JSON.stringify(this.toHar(), null, 2))
  }

  /** A seed that recreates what the requests created: pages and databases with all later changes. Lists what it omits. */
  toSeed(): JournalSeed {
    return seedOf(this.entries)
  }

  /**
   * Writes the seed as YAML.
   * @returns the omissions
   */
  async saveSeed(path: string): Promise<JournalSeed['leftOut']> {
    const { seed, leftOut } = this.toSeed()
    await writeFile(path, await yamlOf(seed))
    return leftOut
  }

  /** Requests and responses as examples for the contract, by their names. */
  toExamples(): Readonly<Record<string, JournalExample>> {
    return examplesOf(this.entries)
  }

  /** Writes each example into a file of the folder, in the form of the contract's own examples. */
  async saveExamples(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    for (const [name, example] of Object.entries(this.toExamples()))
      await writeFile(join(folder, `${name}.yaml`), await yamlOf(example))
  }

  /** Records a request until it ends. */
  record(request: Request, response: Response): Recording {
    const [sent, received] = [new CapturedBody(), new CapturedBody()]
    const recording: Recording = {
      ...{ request, response, target: request.url, sent, received },
      ...{ faults: [], startedTime: new Date(), reached: 'address', endedTime: undefined },
    }
    this.#kept.push(recording)
    if (this.#kept.length > ENTRIES_MAX) this.#kept.shift()
    capture(request, response, sent, received)
    response.once('close', () => {
      recording.endedTime = new Date()
      // Replaces the recording with its entry, which does not keep the request in memory.
      const place = this.#kept.indexOf(recording)
      if (place !== -1) this.#kept[place] = entryOf(recording)
    })
    return recording
  }
}

async function yamlOf(value: object): Promise<string> {
  // Loaded on first use: most tests write none.
  const { stringify } = await import('yaml')
  return stringify(value, { aliasDuplicateObjects: false })
}

/** Observes the streams without consuming them. */
function capture(request: Request, response: Response, sent: CapturedBody, received: CapturedBody): void {
  const push = request.push.bind(request)
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    sent.add(chunk)
    return push(chunk, encoding)
  }
  const write = response.write.bind(response) as (...parts: unknown[]) => boolean
  const end = response.end.bind(response) as (...parts: unknown[]) => Response
  response.write = ((...parts: unknown[]) => {
    received.add(parts[0])
    return write(...parts)
  }) as typeof response.write
  response.end = ((...parts: unknown[]) => {
    received.add(parts[0])
    return end(...parts)
  }) as typeof response.end
}
