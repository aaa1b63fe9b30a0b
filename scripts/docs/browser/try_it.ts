import { serviceAddress } from './address.ts'

/** What an operation's page carries for its form, as JSON. */
export interface Call {
  readonly method: string
  /** With `{name}` in the place of parameters. */
  readonly path: string
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly value: string }[]
  readonly version: string | null
  readonly body: string | null
}

/** A form below the samples that sends the call, where programs can send it. The token stays in the page: it is stored nowhere. */
export function offerCalls(): void {
  const text = document.querySelector<HTMLElement>('main')?.dataset['call']
  if (text === undefined) return
  document.querySelector('.samples')?.append(formOf(JSON.parse(text) as Call))
}

function formOf(call: Call): HTMLElement {
  const details = document.createElement('details')
  details.className = 'try'
  const summary = document.createElement('summary')
  summary.textContent = 'Try it'
  const form = document.createElement('form')
  const address = field(form, 'Address of the service', 'address', ownAddress())
  const token = field(form, 'Token', 'token', '')
  token.type = 'password'
  const values = call.parameters.map((parameter) => ({
    ...parameter,
    input: field(form, parameter.name, parameter.name, parameter.value),
  }))
  const body = call.body === null ? undefined : bodyField(form, call.body)
  const send = Object.assign(document.createElement('button'), { type: 'submit', textContent: `Send ${call.method}` })
  const answer = document.createElement('output')
  form.append(send, answer)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    answer.textContent = 'Waiting …'
    void sendCall(call, address.value, token.value, values, body?.value).then((text) => {
      const block = Object.assign(document.createElement('pre'), { tabIndex: 0, textContent: text })
      answer.replaceChildren(block)
    })
  })
  details.append(summary, form)
  return details
}

/** The service itself when it is what serves this page; else the address that the site was made with. */
function ownAddress(): string {
  return serviceAddress() ?? document.documentElement.dataset['address'] ?? ''
}

async function sendCall(
  { method, path, version }: Call,
  address: string,
  token: string,
  values: readonly { name: string; in: string; input: HTMLInputElement }[],
  body: string | undefined,
): Promise<string> {
  try {
    const filled = values
      .filter((value) => value.in === 'path')
      .reduce((text, { name, input }) => text.replace(`{${name}}`, encodeURIComponent(input.value)), path)
    const url = new URL(`${address.replace(/\/+$/, '')}${filled}`)
    for (const { name, input } of values.filter((value) => value.in === 'query' && value.input.value !== ''))
      url.searchParams.set(name, input.value)
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(version === null ? {} : { 'Service-Version': version }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    return `${response.status} ${response.statusText}\n\n${pretty(await response.text())}`
  } catch (error) {
    return `No answer: ${String(error)}\nThe service must be running there and, from another address, list this page's origin.`
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function field(form: HTMLFormElement, label: string, name: string, value: string): HTMLInputElement {
  const input = Object.assign(document.createElement('input'), { name, value, autocomplete: 'off', spellcheck: false })
  form.append(labelled(label, input))
  return input
}

function bodyField(form: HTMLFormElement, value: string): HTMLTextAreaElement {
  const area = Object.assign(document.createElement('textarea'), { name: 'body', value, spellcheck: false })
  form.append(labelled('Body', area))
  return area
}

function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  const label = document.createElement('label')
  label.append(text, control)
  return label
}
