import compression from 'compression'
import type { RequestHandler, Router } from 'express'
import { contractText } from '../contract/contract_text.ts'
import { jsonSchemaOf, type JsonSchemas } from '../contract/json_schema.ts'
import { releaseDates } from '../versions/index.ts'

const TYPE = 'application/schema+json'

/**
 * Serves each schema of the contract as a self-contained JSON Schema file: at `/schemas/<name>.json`, and as of a release date at
 * `/schemas/<date>/<name>.json`. The name `index` stands for a list of all names and addresses.
 *
 * The files are created on request: together they would take about eighty megabytes.
 * @param folder holds `openapi.json`, and the contract of each release date in `versions/`
 */
export function serveSchemaFiles(app: Router, page: RequestHandler, folder: string, baseUrl: () => string): void {
  app.use('/schemas', compression())
  const serve = (path: string, contract: string): unknown =>
    app.get(
      `${path}/:file`,
      page,
      schemaFile(cachedSchemas(folder, contract), () => baseUrl() + path),
    )
  serve('/schemas', 'openapi.json')
  for (const date of releaseDates) serve(`/schemas/${date}`, `versions/${date}.json`)
}

function schemaFile(read: () => Promise<JsonSchemas>, address: () => string): RequestHandler<{ file: string }> {
  return async ({ params: { file } }, response, next) => {
    if (!file.endsWith('.json')) return next()
    const name = file.slice(0, -'.json'.length)
    const schemas = await read()
    const result = name === 'index' ? indexOf(schemas, address()) : jsonSchemaOf(schemas, name, `${address()}/${name}.json`)
    if (result === undefined) return next()
    response.type(name === 'index' ? 'application/json' : TYPE).send(JSON.stringify(result))
  }
}

function indexOf(schemas: JsonSchemas, address: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(schemas).map((name) => [name, `${address}/${name}.json`]))
}

/** Reads the schemas of a contract file, which are cached until the garbage collector frees them. */
function cachedSchemas(folder: string, name: string): () => Promise<JsonSchemas> {
  let cache: WeakRef<JsonSchemas> | undefined
  return async () => {
    const cached = cache?.deref()
    if (cached) return cached
    const { components } = JSON.parse(await contractText(folder, name)) as { components: { schemas: JsonSchemas } }
    cache = new WeakRef(components.schemas)
    return components.schemas
  }
}
