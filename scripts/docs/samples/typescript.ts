/** A call with the project's own client, which has a method for each operation. */

import { shownJson } from './json.ts'
import { newestRelease } from '../../../generated/operations.ts'
import type { SampleBody, SampleCall } from './sample_call.ts'

export function typescriptSample(call: SampleCall): string {
  if (call.forBrowsers) return browserSample(call)
  const { imports, body } = bodyOf(call.body)
  const input = [
    ...(Object.keys(call.path).length === 0 ? [] : [`path: ${literal(call.path)}`]),
    ...(Object.keys(call.query).length === 0 ? [] : [`query: ${literal(call.query)}`]),
    ...(body === undefined ? [] : [`body: ${body}`]),
    ...(call.version === undefined || call.version === newestRelease ? [] : [`version: '${call.version}'`]),
  ]
  return `${imports}import { createWorkspaceClient } from '@workspace-service/client'

const service = createWorkspaceClient({ ${options(call)} })
const response = await service.${call.operationId}(${input.length === 0 ? '' : `{\n${indented(input.join(',\n'))},\n}`})
console.log(response)`
}

function options({ credentials }: SampleCall): string {
  const address = 'baseUrl: process.env.BASE_URL!'
  if (credentials === 'none') return address
  return credentials === 'client'
    ? `${address}, clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET`
    : `${address}, token: process.env.TOKEN`
}

/** A sample for a page that a browser has to open, because the client has no method for it. */
function browserSample({ address }: SampleCall): string {
  return `const address = new URL(${literal(address)}, process.env.BASE_URL)
console.log('Open in a browser:', address.href)`
}

function bodyOf(body: SampleBody): { imports: string; body: string | undefined } {
  if (body.kind === 'json') return { imports: '', body: literal(body.value) }
  if (body.kind === 'urlencoded') return { imports: '', body: literal(Object.fromEntries(body.fields)) }
  if (body.kind === 'none') return { imports: '', body: undefined }
  const fields = body.fields.map(([name, value]) => `${name}: ${literal(value)}`)
  const file = body.file === undefined ? [] : [`file: await openAsBlob(${literal(body.file)})`]
  return {
    imports: body.file === undefined ? '' : "import { openAsBlob } from 'node:fs'\n",
    body: `{ ${[...file, ...fields].join(', ')} }`,
  }
}

/** A value as a TypeScript literal, with quotes on keys only where they are needed. */
function literal(value: unknown): string {
  const spaced = /"((?:[^"\\]|\\.)*)"(:)?|\{(?=[^\n}])|(?<=[^\s{])\}/g
  return shownJson(value).replaceAll(spaced, (text, inner: string | undefined, colon: string | undefined) => {
    if (inner === undefined) return text === '{' ? '{ ' : ' }'
    if (colon !== undefined) return /^[A-Za-z_$][\w$]*$/.test(inner) ? `${inner}:` : text
    return /['\\]/.test(inner) ? text : `'${inner}'`
  })
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
