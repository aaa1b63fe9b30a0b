import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import compression from 'compression'
import type { RequestHandler, Router } from 'express'
import { jsonSchemaOf, type Schemas } from '../contract/json_schema.ts'
import { releaseDates } from '../versions/index.ts'

const TYPE = 'application/schema+json'

/**
 * Serves every schema of the contract as a file of JSON Schema that needs nothing beside it: at `/schemas/<date>/<name>.json` as of a
 * release date, and at `/schemas/<name>.json` those of all operations that there are. An index beside them lists the names.
 *
 * They are made when they are asked for: all of them, of all dates, would be some eighty megabytes.
 * @param folder of `openapi.json`, and of `versions/` with the contract as of each release date
 */
export function serveSchemaFiles(app: Router, page: RequestHandler, folder: string, baseUrl: () => string): void {
  app.use('/schemas', compression())
  const serve = (path: string, contract: string): unknown =>
    app.get(
      `${path}/:file`,
      page,
      schemaFile(keepingLast(join(folder, contract)), () => baseUrl() + path),
    )
  serve('/schemas', 'openapi.json')
  for (const date of releaseDates) serve(`/schemas/${date}`, `versions/${date}.json`)
}

function schemaFile(read: () => Promise<Schemas>, address: () => string): RequestHandler<{ file: string }> {
  return async ({ params: { file } }, response, next) => {
    if (!file.endsWith('.json')) return next()
    const name = file.slice(0, -'.json'.length)
    const schemas = await read()
    const answer = name === 'index' ? indexOf(schemas, address()) : jsonSchemaOf(schemas, name, `${address()}/${name}.json`)
    if (answer === undefined) return next()
    response.type(name === 'index' ? 'application/json' : TYPE).send(JSON.stringify(answer))
  }
}

function indexOf(schemas: Schemas, address: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(schemas).map((name) => [name, `${address}/${name}.json`]))
}

/** The schemas of a contract; those that were read last are kept until their memory is needed. */
function keepingLast(path: string): () => Promise<Schemas> {
  let kept: WeakRef<Schemas> | undefined
  return async () => {
    const known = kept?.deref()
    if (known) return known
    const { components } = JSON.parse(await readFile(path, 'utf8')) as { components: { schemas: Schemas } }
    kept = new WeakRef(components.schemas)
    return components.schemas
  }
}
