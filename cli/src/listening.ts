import type { Server } from 'node:http'
import { CommandError, usageError } from './exit_codes.ts'

export const PORT_MAX = 65_535

export function parseCount(option: string, text: string, max = Number.MAX_SAFE_INTEGER): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Infinity
  if (number > max) throw usageError(`${option} must be a whole number${max === Number.MAX_SAFE_INTEGER ? '' : ` up to ${max}`}.`)
  return number
}

export function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }) => reject(new CommandError(`Cannot listen on ${host}:${port}: ${message}`)))
    server.listen(port, host, resolve)
  })
}

export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
