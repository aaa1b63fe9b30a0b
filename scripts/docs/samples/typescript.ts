/** A call with the project's own client. */

import { shownJson } from './json.ts'
import { newestRelease } from '../../../generated/operations.ts'
import { isObject } from '../../../server/kernel/is_object.ts'
import type { SampleBody, SampleCall } from './sample_call.ts'

export function typescriptSample(call: SampleCall): string {
  if (call.forBrowsers) return browserSample(call)
  const { imports, members } = bodyOf(call.body)
  const parameters = [...membersOf({ ...call.path, ...call.query }), ...members]
  const others = call.version === undefined || call.version === newestRelease ? [] : [`{ version: '${call.version}' }`]
  const first = parameters.length > 0 ? [`{\n${indented(parameters.join(',\n'))},\n}`] : others.map(() => '{}')
  return `${imports}import { createWorkspaceClient } from '@workspace-service/client'

const service = createWorkspaceClient({ ${options(call)} })
const response = await service.${call.clientName}(${[...first, ...others].join(', ')})
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

function bodyOf(body: SampleBody): { imports: string; members: string[] } {
  if (body.kind === 'none') return { imports: '', members: [] }
  if (body.kind === 'json') return { imports: '', members: membersOf(isObject(body.value) ? body.value : {}) }
  const fields = membersOf(Object.fromEntries(body.fields))
  if (body.kind === 'urlencoded' || body.file === undefined) return { imports: '', members: fields }
  return {
    imports: "import { openAsBlob } from 'node:fs'\n",
    members: [`file: await openAsBlob(${literal(body.file)})`, ...fields],
  }
}

function membersOf(object: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(object).map(([name, value]) => `${name}: ${literal(value)}`)
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
