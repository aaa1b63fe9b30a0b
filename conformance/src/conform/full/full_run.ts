import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { operations } from '../../../../generated/operations.ts'
import { RequestForm, type SchemaDocument } from '@workspace-service/server/contract/request_form.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { Run } from '../../run.ts'
import { RunStopped, type ConformClient } from '../conform_client.ts'
import { IdPool } from '../id_pool.ts'
import { ReadOnlyRun } from '../read_only.ts'
import { GHOST } from '../refusals.ts'
import { sendBadRequests } from './bad_requests.ts'
import { called, leftOut, needsAgent, resourceOf, resources } from './coverage.ts'
import { ExampleRecords } from './example_records.ts'
import { checkIdempotency } from './idempotency.ts'
import { RunRecords } from './run_records.ts'
import type { FullRunContext } from './full_run_context.ts'
import { findByTitle, makeRunPage } from './run_page.ts'
import { Replacements } from './replacements.ts'
import { Writer } from './writer.ts'

const SUCCESS_MAX = 299

export interface FullRunOptions {
  readonly run: Run
  /** Sends the requests of the run, and ends with it. */
  readonly client: ConformClient
  /** Cleans up, even after the other client has stopped sending. */
  readonly cleaner: ConformClient
  /** The page to work in; undefined for the first page that accepts a new page. */
  readonly insideId?: string
  /** The agent to talk to, which is disabled and enabled again; undefined for none. */
  readonly agentId?: string
  /** Ids of the only operations to call, besides those that they need; undefined for all. */
  readonly only?: ReadonlySet<string>
  /** How many records each reading operation is called with. */
  readonly samples: number
  /** Called when the page for all records exists. */
  onPage?(pageId: string, insideId: string): void
  /** @param share finished, from 0 to 1 */
  onProgress(share: number): void
}

/** How a run ended. */
export interface FullRunEnd {
  /** Why it ended early. */
  readonly stopped?: RunStopped['reason']
  /** The error, if anything remains. */
  readonly failure?: string
  /** Records that could not be removed. */
  readonly left: readonly string[]
}

/** Calls all operations that can be called inside a new page, and always moves that page to the trash at the end. */
export class FullRun {
  readonly #options: FullRunOptions
  readonly #title = `Conformance run ${randomBytes(6).toString('hex')}`
  readonly #runRecords = new RunRecords()
  readonly #pool = new IdPool()
  /** Pages that may contain the run's page. */
  readonly #tried: string[] = []
  #context: FullRunContext | undefined

  constructor(options: FullRunOptions) {
    this.#options = options
  }

  /** @throws NoParentPage if there is no page to work in; other failures only after cleaning up */
  async run(): Promise<FullRunEnd> {
    let stopped: RunStopped['reason'] | undefined
    let failure: unknown
    try {
      await this.#work()
    } catch (error) {
      if (error instanceof RunStopped) stopped = error.reason
      else failure = error
    }
    const left = await this.#clean()
    if (failure !== undefined && left.length === 0) throw failure
    this.#conclude(stopped)
    const failed = failure === undefined ? {} : { failure: failure instanceof Error ? failure.message : String(failure) }
    return { ...(stopped && { stopped }), ...failed, left }
  }

  async #work(): Promise<void> {
    const { run, client, samples, insideId, only, onPage, onProgress } = this.#options
    const page = await makeRunPage(client, this.#title, (id) => this.#tried.push(id), insideId)
    this.#runRecords.record(operations.createPage, page.response)
    this.#pool.record(page.response)
    this.#context = this.#newContext(page.id)
    onPage?.(page.id, page.insideId)
    await allowMentions(this.#context)
    const wanted = called.filter(({ id }) => only?.has(id) ?? true)
    const exercised = new Set(wanted.map(({ id }) => resourceOf(id)))
    const reading = { client, run, pool: this.#pool, samples, isPart: true, onProgress: () => undefined, ...(only && { only }) }
    const steps = [
      ...resources.map(
        ({ make }) =>
          async () =>
            make?.(this.#known()),
      ),
      ...resources.filter((one) => exercised.has(one)).map((one) => () => one.exercise(this.#known())),
      () => checkIdempotency(this.#known(), wanted),
      () => new ReadOnlyRun(reading).run(),
      ...wanted.map((operation) => () => sendBadRequests(this.#known(), operation)),
    ]
    for (const [index, step] of steps.entries()) {
      await step()
      onProgress((index + 1) / steps.length)
    }
  }

  #newContext(pageId: string): FullRunContext {
    const { run, client } = this.#options
    const document = JSON.parse(
      readFileSync(new URL('../../../../generated/openapi.json', import.meta.url), 'utf8'),
    ) as SchemaDocument & { readonly servers: readonly { readonly url: string }[] }
    const records = new ExampleRecords()
    const replacements = new Replacements(records, document.servers[0]?.url ?? '')
    // The run's page replaces pages that are only referred to, such as the parents of others.
    replacements.setAny('page_id', pageId)
    this.#runRecords.allow(GHOST)
    if (this.#options.agentId !== undefined) this.#runRecords.allow(this.#options.agentId)
    return {
      run,
      client,
      writer: new Writer(client, run, this.#runRecords, this.#pool),
      runRecords: this.#runRecords,
      pool: this.#pool,
      records,
      replacements,
      form: new RequestForm(document),
      pageId,
      title: this.#title,
      agentId: this.#options.agentId,
    }
  }

  #known(): FullRunContext {
    if (!this.#context) throw new Error('the page has not been created yet')
    return this.#context
  }

  /** @returns the records that still exist */
  async #clean(): Promise<readonly string[]> {
    const { cleaner } = this.#options
    const left: string[] = []
    try {
      if (this.#context) {
        const parts = { ...this.#context, client: cleaner, writer: this.#context.writer.with(cleaner) }
        for (const { clean } of resources) await clean?.(parts)
      }
      for (const pageId of await this.#ownPages()) {
        const { status } = await cleaner.call(operations.updatePage, { path: { page_id: pageId }, body: { in_trash: true } })
        if (status > SUCCESS_MAX) left.push(`the page ${pageId} (the response was ${status})`)
      }
    } catch {
      left.push(`the page “${this.#title}”${this.#context ? `, ${this.#context.pageId}` : ''}, if it was created`)
    }
    return [
      ...left,
      ...this.#runRecords.made(operations.createWebhookSubscription.tag).map((id) => `the webhook subscription ${id}`),
    ]
  }

  async #ownPages(): Promise<readonly string[]> {
    if (this.#context) return [this.#context.pageId]
    const found: string[] = []
    for (const insideId of this.#tried) found.push(...(await findByTitle(this.#options.cleaner, insideId, this.#title)))
    return found
  }

  #conclude(stopped: RunStopped['reason'] | undefined): void {
    const { run, only, agentId } = this.#options
    for (const [id, reason] of leftOut) if (only?.has(id) ?? true) run.leaveOut(id, reason)
    for (const operation of called.filter(({ id }) => only?.has(id) ?? true)) {
      if ((this.#context?.writer.goodOf(operation).length ?? 0) > 0) continue
      const last = this.#context?.writer.lastRefusalOf(operation)
      if (last !== undefined) run.leaveOut(operation.id, `every response was an error, the last one ${last}`)
      else if (agentId === undefined && needsAgent(operation)) run.leaveOut(operation.id, '--agent names no agent')
      else
        run.leaveOut(
          operation.id,
          stopped ? new RunStopped(stopped).message : 'the run has created no record that it could be called with',
        )
    }
  }
}

/** Allows requests to mention people and emojis of the workspace, which they do not change. */
async function allowMentions({ client, runRecords, replacements }: FullRunContext): Promise<void> {
  const me = await client.call(operations.retrieveMe)
  const people = isObject(me.value) ? [me.value] : []
  const users = await client.call(operations.listUsers)
  if (isObject(users.value) && Array.isArray(users.value['results'])) people.push(...users.value['results'].filter(isObject))
  const person = people.find(({ type }) => type === 'person') ?? people[0]
  const emojis = await client.call(operations.listCustomEmojis)
  const [emoji]: unknown[] = isObject(emojis.value) && Array.isArray(emojis.value['results']) ? emojis.value['results'] : []
  const mentioned = [
    ['user', person],
    ['custom_emoji', emoji],
  ] as const
  for (const [kind, record] of mentioned) {
    if (!isObject(record)) continue
    runRecords.allow(String(record['id']))
    replacements.setAny(kind, String(record['id']))
  }
}
