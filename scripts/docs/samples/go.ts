/** A call with Go's standard library, as a whole program. */

import { shownJson } from './json.ts'
import type { SampleBody, SampleCall } from './sample_call.ts'

export function goSample(call: SampleCall): string {
  const { credentials, version, body } = call
  const lines = [
    ...bodyLines(body),
    `request, err := http.NewRequest("${call.method}", os.Getenv("BASE_URL")+${raw(call.address)}, ${body.kind === 'none' ? 'nil' : 'body'})`,
    ...check,
    ...(credentials === 'bearer' ? ['request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))'] : []),
    ...(credentials === 'client' ? ['request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))'] : []),
    ...(version === undefined ? [] : [`request.Header.Set("Service-Version", "${version}")`]),
    ...contentType(body),
    'response, err := http.DefaultClient.Do(request)',
    ...check,
    'defer response.Body.Close()',
    'text, err := io.ReadAll(response.Body)',
    ...check,
    'fmt.Println(response.Status, string(text))',
  ]
  return `package main

import (
${importsOf(body)
  .map((name) => `\t"${name}"`)
  .join('\n')}
)

func main() {
${lines.map((line) => `\t${line}`).join('\n')}
}`
}

const check = ['if err != nil {', '\tlog.Fatal(err)', '}']

function importsOf(body: SampleBody): string[] {
  const needed = {
    none: [],
    json: ['strings'],
    urlencoded: ['net/url', 'strings'],
    form: ['bytes', 'mime/multipart'],
  }[body.kind]
  return ['fmt', 'io', 'log', 'net/http', 'os', ...needed].toSorted()
}

function bodyLines(body: SampleBody): string[] {
  if (body.kind === 'json') return [`body := strings.NewReader(${raw(shownJson(body.value))})`]
  if (body.kind === 'urlencoded')
    return [
      'form := url.Values{}',
      ...body.fields.map(([name, value]) => `form.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
      'body := strings.NewReader(form.Encode())',
    ]
  if (body.kind === 'none') return []
  return [
    'body := &bytes.Buffer{}',
    'form := multipart.NewWriter(body)',
    ...body.fields.map(([name, value]) => `form.WriteField(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
    ...(body.file === undefined
      ? []
      : [
          `part, err := form.CreateFormFile("file", ${JSON.stringify(body.file)})`,
          ...check,
          `content, err := os.ReadFile(${JSON.stringify(body.file)})`,
          ...check,
          'part.Write(content)',
        ]),
    'form.Close()',
  ]
}

function contentType(body: SampleBody): string[] {
  if (body.kind === 'json') return ['request.Header.Set("Content-Type", "application/json")']
  if (body.kind === 'urlencoded') return ['request.Header.Set("Content-Type", "application/x-www-form-urlencoded")']
  return body.kind === 'form' ? ['request.Header.Set("Content-Type", form.FormDataContentType())'] : []
}

/** A raw string literal in Go or, for a text with a backtick, a quoted one. */
function raw(text: string): string {
  return text.includes('`') ? JSON.stringify(text) : `\`${text}\``
}
