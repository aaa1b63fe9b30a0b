import fs from 'node:fs'
import net from 'node:net'

/** Loaded before the service: sends SIGTERM at exactly the point that SIGNAL_AT names. */

const moment = process.env['SIGNAL_AT'] ?? ''
let isSent = false

function signalAt(isTheMoment: boolean): void {
  if (isSent || !isTheMoment) return
  isSent = true
  process.kill(process.pid, 'SIGTERM')
}

/** Calls functions before and after a method. */
function wrapMethod(target: object, name: string, before: (args: unknown[]) => void, after: (args: unknown[]) => void): void {
  const method: unknown = Reflect.get(target, name)
  if (typeof method !== 'function') throw new Error(`there is no ${name}`)
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]): unknown {
    before(args)
    const result: unknown = Reflect.apply(method, this, args)
    after(args)
    return result
  })
}

const nothing = (): void => undefined
wrapMethod(net.Server.prototype, 'listen', () => signalAt(moment === 'listen'), nothing)
for (const name of ['write', 'writeSync']) wrapMethod(fs, name, nothing, ([, text]) => signalAt(String(text).includes(moment)))
