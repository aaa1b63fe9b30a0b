import { servingAddress } from './address.ts'

/** The data of an operation's form, which its page contains as JSON. */
export interface CallForm {
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly value: string }[]
  readonly version: string | null
  readonly body: string | null
}

/** Adds a form below the samples that sends the call, if its content types allow that. The token is not stored. */
export function addCallForm(): void {
  const text = document.querySelector<HTMLElement>('main')?.dataset['call']
  if (text === undefined) return
  document.querySelector('.samples')?.append(formOf(JSON.parse(text) as CallForm))
}

function formOf(call: CallForm): HTMLElement {
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
  const response = document.createElement('output')
  form.append(send, response)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    response.textContent = 'Waiting …'
    void sendCall(call, address.value, token.value, values, body?.value).then((text) => {
      const block = Object.assign(document.createElement('pre'), { tabIndex: 0, textContent: text })
      response.replaceChildren(block)
    })
  })
  details.append(summary, form)
  return details
}

/** The origin of this page if the service itself serves it; otherwise the address that the site was built with. */
function ownAddress(): string {
  return servingAddress() ?? document.documentElement.dataset['address'] ?? ''
}

async function sendCall(
  { method, path, version }: CallForm,
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
    return `No response: ${String(error)}\nIs the service running at this address, and does it allow requests from the origin of this page?`
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
  form.append(labeled(label, input))
  return input
}

function bodyField(form: HTMLFormElement, value: string): HTMLTextAreaElement {
  const area = Object.assign(document.createElement('textarea'), { name: 'body', value, spellcheck: false })
  form.append(labeled('Body', area))
  return area
}

function labeled(text: string, control: HTMLElement): HTMLLabelElement {
  const label = document.createElement('label')
  label.append(text, control)
  return label
}
