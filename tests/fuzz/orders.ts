/** A message to the thread that runs a target. */
export interface Order {
  readonly target: string
  /** The folder for inputs and findings. */
  readonly folder: string
  readonly minutes: number
  readonly seed: number
  /** Contains the input of the current run, in case it never ends: see `writeInput`. */
  readonly current: SharedArrayBuffer
}

/** A message from the thread. */
export type Message = { readonly kind: 'progress'; readonly text: string } | ({ readonly kind: 'finding' } & FuzzFailure)

export interface FuzzFailure {
  readonly cause: string
  readonly input: string
  /** The error with its stack. */
  readonly report: string
}

const INPUT_LENGTH_MAX = 1 << 17

export function currentBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(8 + 2 * INPUT_LENGTH_MAX)
}

/** Writes the number of the run, the length of its input, and its units. */
export function writeInput(buffer: SharedArrayBuffer, input: string): void {
  const units = new Uint16Array(buffer, 8)
  const length = Math.min(input.length, INPUT_LENGTH_MAX)
  for (let index = 0; index < length; index += 1) units[index] = input.charCodeAt(index)
  const head = new Uint32Array(buffer, 0, 2)
  head[1] = length
  head[0] = (head[0] ?? 0) + 1
}

export function readInput(buffer: SharedArrayBuffer): { readonly run: number; readonly input: string } {
  const [run = 0, length = 0] = new Uint32Array(buffer, 0, 2)
  let input = ''
  for (const unit of new Uint16Array(buffer, 8, length)) input += String.fromCharCode(unit)
  return { run, input }
}
