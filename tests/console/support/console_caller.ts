import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { operations } from '../../../generated/console_types.ts'
import { Browser } from '../../harness/browser.ts'
import { parseObject, textAt, type JsonObject } from '../../harness/json.ts'
import type { TestServer } from '../../harness/server.ts'

type ConsoleOperationId = keyof operations

interface Described {
  readonly operationId: ConsoleOperationId
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: unknown }>>
}

interface ConsoleDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

const document = JSON.parse(readFileSync(new URL('../../../generated/console.json', import.meta.url), 'utf8')) as ConsoleDocument
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'console', ...document })

/** The operations of the console, with the location of their descriptions. */
export const consoleOperations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ id: operation.operationId, method, path, responses: operation.responses })),
)

interface ConsoleCallOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Replaces `X-CSRF-Token`; null omits it. */
  readonly csrf?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

interface ConsoleResult {
  readonly status: number
  readonly body: JsonObject
}

/** Calls the console as a signed-in person, and checks each response against its contract. */
export class ConsoleCaller {
  readonly browser: Browser
  readonly #server: TestServer
  #csrf = ''

  private constructor(server: TestServer) {
    this.#server = server
    this.browser = new Browser(server)
  }

  /** @param email of the person; undefined for nobody */
  static async of(server: TestServer, email: string | undefined): Promise<ConsoleCaller> {
    const caller = new ConsoleCaller(server)
    if (email === undefined) return caller
    await caller.browser.signIn(server, email)
    caller.#csrf = textAt((await caller.call('retrieveSession')).body, 'csrf_token')
    return caller
  }

  async call(
    id: ConsoleOperationId,
    { path = {}, query = {}, body, csrf = this.#csrf, headers = {} }: ConsoleCallOptions = {},
  ): Promise<ConsoleResult> {
    const operation = consoleOperations.find((one) => one.id === id)
    if (!operation) throw new Error(`the console has no ${id}`)
    const target = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''))
    const search = new URLSearchParams(query).toString()
    const cookies = [...this.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${this.#server.url}/console/api${target}${search === '' ? '' : `?${search}`}`, {
      method: operation.method.toUpperCase(),
      headers: {
        Cookie: cookies,
        ...(csrf === null ? {} : { 'X-CSRF-Token': csrf }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    requireDescribed(operation, response.status, text)
    return { status: response.status, body: parseObject(text) }
  }
}

function requireDescribed({ path, method, responses }: (typeof consoleOperations)[number], status: number, text: string): void {
  const described = responses[status]
  if (!described) throw new Error(`${method} ${path} has no response ${status}: ${text}`)
  const location = described.$ref ?? `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${status}`
  const validate = ajv.compile({ $ref: `console${encodeURI(location)}/content/application~1json/schema` })
  if (!validate(JSON.parse(text)))
    throw new Error(
      `${method} ${path} responded with ${status} in violation of its contract: ${ajv.errorsText(validate.errors)}\n${text}`,
    )
}
