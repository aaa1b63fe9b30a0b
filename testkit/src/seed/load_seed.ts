import { capabilityOrder, type Database, type Transaction } from '@workspace-service/server/domain/shared/index.ts'
import { createConnection, createPerson, createPersonalToken } from '@workspace-service/server/domain/administration/index.ts'
import { ServiceError } from '@workspace-service/server/kernel/errors.ts'
import { idIn } from '@workspace-service/server/kernel/ids.ts'
import { insertGrant } from '@workspace-service/server/store/grants.ts'
import { createTestAgent } from '../agents/create_test_agent.ts'
import { requireForm } from '../agents/require_form.ts'
import type { TestWorkspace } from '../test_workspace.ts'
import {
  SeedError,
  type Seed,
  type SeedAgent,
  type SeedDatabase,
  type Seeded,
  type SeedPage,
  type SeedPerson,
  type SeedToken,
} from './seed.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

interface SeedDeps {
  readonly database: Database
  now(): number
}

/** Fills a workspace: adds people and tokens with the functions of the command line, and everything else by requests to the API. */
export class SeedLoader {
  readonly #deps: SeedDeps
  readonly #workspace: TestWorkspace
  readonly #seeded = { pages: {}, databases: {}, people: {}, tokens: {}, agents: {} } as {
    readonly [K in keyof Seeded]: Record<string, Seeded[K][string]>
  }

  /** The connections that the seed has added. */
  readonly #connectionIds: string[] = []

  constructor(deps: SeedDeps, workspace: TestWorkspace) {
    this.#deps = deps
    this.#workspace = workspace
  }

  /** @throws SeedError with the path of the refused part */
  async load({ people = [], tokens = [], pages = [], databases = [], agents = [] }: Seed): Promise<Seeded> {
    for (const [index, person] of people.entries()) await this.#at(`people[${index}]`, (db) => this.#person(db, person))
    await this.#pages(pages, 'pages', { workspace: true })
    for (const [index, database] of databases.entries()) await this.#database(database, `databases[${index}]`)
    for (const [index, token] of tokens.entries()) await this.#at(`tokens[${index}]`, (db) => this.#token(db, token))
    for (const [index, agent] of agents.entries()) {
      requireAgentForm(`agents[${index}]`, agent)
      await this.#at(`agents[${index}]`, (db) => this.#agent(db, agent))
    }
    return this.#seeded
  }

  /** Runs work in a transaction. @throws SeedError with the path, for any error */
  async #at(path: string, work: (db: Transaction) => Promise<void>): Promise<void> {
    await this.#deps.database.write(work).catch((error: unknown) => {
      throw error instanceof SeedError ? error : new SeedError(path, error instanceof Error ? error.message : String(error))
    })
  }

  async #person(db: Transaction, { name, email, role = 'member' }: SeedPerson): Promise<void> {
    requireText('name', name)
    requireText('email', email)
    if (!ROLES.includes(role)) throw new Error(`role should be one of ${ROLES.join(', ')}, instead was ${JSON.stringify(role)}.`)
    const person = { workspaceId: this.#workspace.id, name, email, role }
    this.#seeded.people[email] = await createPerson(db, person, this.#deps.now())
  }

  async #token(db: Transaction, { name, person, capabilities = capabilityOrder, pages }: SeedToken): Promise<void> {
    requireText('name', name)
    const [workspaceId, now] = [this.#workspace.id, this.#deps.now()]
    if (person !== undefined) {
      const personId = known(this.#seeded.people, person, 'person')
      this.#seeded.tokens[name] = (await createPersonalToken(db, { workspaceId, personId }, now)).token
      return
    }
    const connection = await createConnection(db, { workspaceId, kind: 'internal', name, capabilities }, now)
    if (connection.kind !== 'internal') throw new Error('the connection is not internal')
    const shared = pages?.map((page) => known(this.#seeded.pages, page, 'page')) ?? [workspaceId]
    for (const id of shared) await insertGrant(db, workspaceId, connection.botId, id, now)
    this.#connectionIds.push(connection.connectionId)
    this.#seeded.tokens[name] = connection.installationToken
  }

  async #agent(db: Transaction, { pages, turns: _turns, ...agent }: SeedAgent): Promise<void> {
    if (Object.hasOwn(this.#seeded.agents, agent.name))
      throw new Error(`the seed contains another agent ${JSON.stringify(agent.name)}.`)
    const { id: workspaceId, connectionId } = this.#workspace
    const pageIds = pages?.map((page) => idIn(page) ?? known(this.#seeded.pages, page, 'page'))
    const connectionIds = [connectionId, ...this.#connectionIds]
    this.#seeded.agents[agent.name] = await createTestAgent(
      db,
      { ...agent, workspaceId, pageIds, connectionIds },
      this.#deps.now(),
    )
  }

  async #pages(pages: readonly SeedPage[], path: string, parent: object): Promise<void> {
    for (const [index, { name, pages: below = [], ...content }] of pages.entries()) {
      const place = `${path}[${index}]`
      const { id } = await this.#send('/v1/pages', { ...content, parent }, place)
      if (name !== undefined) this.#seeded.pages[name] = String(id)
      await this.#pages(below, `${place}.pages`, { page_id: id })
    }
  }

  async #database({ name, page, rows = [], ...content }: SeedDatabase, path: string): Promise<void> {
    const parent = { page_id: knownAt(`${path}.page`, this.#seeded.pages, page, 'page') }
    const { id, data_sources: sources } = await this.#send('/v1/databases', { ...content, parent }, path)
    const [source]: unknown[] = Array.isArray(sources) ? sources : []
    const dataSourceId = isObject(source) ? String(source['id']) : ''
    if (name !== undefined) this.#seeded.databases[name] = { id: String(id), dataSourceId }
    await this.#pages(rows, `${path}.rows`, { data_source_id: dataSourceId })
  }

  /** Creates a record through the API, so that all of its rules apply. */
  async #send(target: string, body: object, path: string): Promise<Readonly<Record<string, unknown>>> {
    const headers = { 'Content-Type': 'application/json' }
    const response = await this.#workspace.fetch(target, { method: 'POST', headers, body: JSON.stringify(body) })
    const created: unknown = await response.json()
    if (!isObject(created)) throw new SeedError(path, 'the response of the service is not an object.')
    if (!response.ok) throw refusedAt(path, String(created['message']))
    if (response.status === 202)
      throw new SeedError(`${path}.allow_async`, 'should be omitted: a seed waits until its pages are created.')
    return created
  }
}

/** @throws SeedError with the path of a part that the control API would refuse */
function requireAgentForm(path: string, agent: SeedAgent): void {
  try {
    requireForm('/v1/agents', agent)
  } catch (error) {
    throw error instanceof ServiceError ? refusedAt(path, error.message) : error
  }
}

/** Replaces `body` in a message of the service by the path in the seed. */
function refusedAt(path: string, message: string): SeedError {
  const [, below, reason] = /^body failed validation: body(\S*) (should .*)$/s.exec(message) ?? []
  if (below !== undefined && reason !== undefined) return new SeedError(`${path}${below}`, reason)
  return new SeedError(path, message.replaceAll(/\bbody\b(?=\.)/g, path))
}

const ROLES = ['owner', 'member', 'restricted', 'guest']

function requireText(key: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw new Error(`${key} should be a text.`)
}

function known(made: Readonly<Record<string, string>>, name: string, kind: string): string {
  const id = Object.hasOwn(made, name) ? made[name] : undefined
  if (id === undefined) throw new Error(`the seed contains no ${kind} ${JSON.stringify(name)}.`)
  return id
}

function knownAt(path: string, ...wanted: Parameters<typeof known>): string {
  try {
    return known(...wanted)
  } catch (error) {
    throw new SeedError(path, error instanceof Error ? error.message : String(error))
  }
}
