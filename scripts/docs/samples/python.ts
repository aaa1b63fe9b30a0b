/** A call with Python's standard library. */

import { shownJson } from './json.ts'
import type { SampleBody, SampleCall } from './sample_call.ts'

export function pythonSample({ method, address, credentials, version, body }: SampleCall): string {
  const headers = [
    ...(credentials === 'bearer' ? ['"Authorization": f"Bearer {os.environ[\'TOKEN\']}"'] : []),
    ...(credentials === 'client' ? ['"Authorization": f"Basic {credentials}"'] : []),
    ...(version === undefined ? [] : [`"Service-Version": "${version}"`]),
    ...contentType(body),
  ]
  const request = [
    'request = urllib.request.Request(',
    `    os.environ["BASE_URL"] + ${text(address)},`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers.map((header) => `        ${header},`), '    },']),
    ...dataOf(body),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ]
  return [
    ...importsOf(credentials, body).map((name) => `import ${name}`),
    '',
    ...(credentials === 'client' ? basicCredentials : []),
    ...(body.kind === 'form' ? formLines(body) : []),
    ...request,
  ].join('\n')
}

const basicCredentials = [
  "pair = f\"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}\"",
  'credentials = base64.b64encode(pair.encode()).decode()',
]

function importsOf(credentials: SampleCall['credentials'], body: SampleBody): string[] {
  return [
    ...(credentials === 'client' ? ['base64'] : []),
    ...(body.kind === 'json' ? ['json'] : []),
    'os',
    ...(body.kind === 'urlencoded' ? ['urllib.parse'] : []),
    'urllib.request',
  ]
}

function contentType(body: SampleBody): string[] {
  if (body.kind === 'json') return ['"Content-Type": "application/json"']
  return body.kind === 'form' ? ['"Content-Type": "multipart/form-data; boundary=part"'] : []
}

function dataOf(body: SampleBody): string[] {
  if (body.kind === 'json') return [`    data=json.dumps(${indented(literal(body.value))}).encode(),`]
  if (body.kind === 'urlencoded')
    return [`    data=urllib.parse.urlencode(${indented(literal(Object.fromEntries(body.fields)))}).encode(),`]
  return body.kind === 'form' ? ['    data=form,'] : []
}

function formLines({ fields, file }: Extract<SampleBody, { kind: 'form' }>): string[] {
  const head = (words: string): string => `--part\\r\\nContent-Disposition: form-data; ${words}\\r\\n\\r\\n`
  return [
    ...(file === undefined ? [] : [`content = open(${text(file)}, "rb").read()`]),
    'form = b"".join([',
    ...(file === undefined ? [] : [`    b'${head(`name="file"; filename="${file}"`)}' + content + b"\\r\\n",`]),
    ...fields.map(([name, value]) => `    b'${head(`name="${name}"`)}${value}\\r\\n',`),
    '    b"--part--\\r\\n",',
    '])',
  ]
}

const LITERALS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** A value as a Python literal: JSON is valid Python except for three literals. */
function literal(value: unknown): string {
  return shownJson(value, 4).replaceAll(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => LITERALS[token] ?? token)
}

function indented(value: string): string {
  return value.replaceAll(/\n/g, '\n    ')
}

function text(value: string): string {
  return JSON.stringify(value)
}
