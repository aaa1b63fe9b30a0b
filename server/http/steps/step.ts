import type { Call } from '../../application/call.ts'
import type { Response } from '../../kernel/response.ts'
import type { HttpContext } from '../http_context.ts'

/** One step of a request. It checks the request or adds to its context, and then either calls the next step or responds. */
export type Step<Caller = unknown, Operation = Call['operation']> = (
  context: HttpContext<Caller>,
  call: Call<Operation>,
  next: () => Promise<Response>,
) => Promise<Response>

/** All steps, in the order that the contract fixes. Each chain has some of them. */
const order = [
  'route',
  'transport',
  'accept',
  'authenticate',
  'version',
  'handler',
  'rateLimit',
  'admission',
  'capability',
  'stream',
  'body',
  'idempotencyKey',
  'validate',
  'client',
  'perform',
] as const

export type Steps<Caller, Operation = Call['operation']> = Readonly<
  Partial<Record<(typeof order)[number], Step<Caller, Operation> | undefined>>
>

/** Runs the steps of a request. @throws the error of the first check that fails */
export type Chain<Operation = Call['operation']> = (context: HttpContext, call: Call<Operation>) => Promise<Response>

/**
 * Creates a chain of steps.
 * @typeParam Caller the result of the step `authenticate`
 */
export function composeChain<Caller, Operation = Call['operation']>(steps: Steps<Caller, Operation>): Chain<Operation> {
  const chain = order.flatMap((name) => steps[name] ?? [])
  return (context, call) => {
    const run = async (index: number): Promise<Response> => {
      const step = chain[index]
      if (!step) throw new Error('No step has given a response.')
      // An earlier step of this chain has identified the caller.
      return step(context as HttpContext<Caller>, call, () => run(index + 1))
    }
    return run(0)
  }
}
