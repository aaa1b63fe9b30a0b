import { InvalidWebhookError } from './errors.ts'
import { verifyWebhook, type ReceivedWebhook, type VerifyWebhookOptions } from './webhooks.ts'

type Handler<Event> = (event: Event) => void | Promise<void>

/** Functions for events, by their type; `other` gets events without one. */
export type WebhookHandlers = {
  readonly [Type in ReceivedWebhook['type']]?: Handler<Extract<ReceivedWebhook, { type: Type }>>
} & { readonly other?: Handler<ReceivedWebhook> }

/** Calls the handler for a verified event, and waits for it. */
export async function dispatchWebhook(event: ReceivedWebhook, handlers: WebhookHandlers): Promise<void> {
  const handler = Object.hasOwn(handlers, event.type) ? handlers[event.type] : handlers.other
  // The handler under an event's type takes events of that type.
  await (handler as Handler<ReceivedWebhook> | undefined)?.(event)
}

/**
 * Verifies a request to the address of a subscription, calls the handler for its event, and returns the response to send: 204, or 400 with
 * the code of an `InvalidWebhookError`. Errors of the handler are passed on: respond with 500, and the service sends the event again.
 * @param token as of `verifyWebhook`
 */
export async function receiveWebhook(
  request: Request,
  token: string | undefined,
  handlers: WebhookHandlers,
  options?: VerifyWebhookOptions,
): Promise<Response> {
  try {
    await dispatchWebhook(await verifyWebhook(await request.arrayBuffer(), request.headers, token, options), handlers)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof InvalidWebhookError) return new Response(error.code, { status: 400 })
    throw error
  }
}
