import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { authorityOf } from '@workspace-service/server/kernel/listening_address.ts'
import type { AssistantTool, DescribedContract } from '@workspace-service/mcp/index.ts'
import { usageError } from './exit_codes.ts'
import { closed, listening, parseCount, PORT_MAX, untilSignal } from './listening.ts'
import { targetOf } from './proxy.ts'
import type { ServiceCommand } from './service_command.ts'
import { packageVersion } from './version.ts'

interface McpOptions {
  readonly url: string
  readonly token?: string
  readonly headerBrand?: string
  readonly port?: string
  readonly host: string
  readonly publicUrl?: string
  readonly all?: true
  readonly compact?: true
}

export function addMcpCommand(program: ServiceCommand): void {
  program
    .command('mcp')
    .description('serve tools for AI assistants through the Model Context Protocol, for this or any server of the protocol')
    .option('--url <url>', 'address of the API', 'http://127.0.0.1:4000')
    .option('--token <token>', 'token for the API; prefer SERVICE_TOKEN, which other processes cannot see')
    .option('-p, --port <port>', 'serve over HTTP at /mcp on this port, with the token of each caller, instead of standard input')
    .option('--host <address>', 'address to listen on, with --port', '127.0.0.1')
    .option('--public-url <url>', 'address under which callers reach it behind a proxy, without /mcp, with --port')
    .option('--all', 'add a tool for each operation of the API')
    .option('--compact', 'serve only two tools, which find and call operations of the API')
    .option('--header-brand <brand>', "prefix of the server's header names, if not `Service`")
    .addHelpText(
      'after',
      `
Without --port, an assistant starts this command and talks to it over standard input and output. The tools have the rights of the token. Changes
can be undone with the tool undo until the command ends.`,
    )
    .example('mcp --url https://workspace.example')
    .run(async (context, options: McpOptions) => {
      if (options.all && options.compact) throw usageError('Give either --all or --compact.')
      const baseUrl = targetOf(options.url).href
      const mcp = await import('@workspace-service/mcp/index.ts')
      const tools = await toolsOf(mcp, options)
      const brand = options.headerBrand === undefined ? {} : { headerBrand: options.headerBrand }
      if (options.port !== undefined) {
        const proxy = options.publicUrl === undefined ? undefined : targetOf(options.publicUrl)
        const hosts = ['localhost', '127.0.0.1', '[::1]', options.host, ...(proxy ? [proxy.hostname] : [])]
        const address = proxy && { publicUrl: proxy.href.replace(/\/$/, '') }
        const server = mcp.toolHttpServer({ baseUrl, version: packageVersion(), hosts, tools, ...brand, ...address })
        const stopped = untilSignal()
        await listening(server, options.host, parseCount('--port', options.port, PORT_MAX))
        const { port } = server.address() as AddressInfo
        context.output.note(`The tools are ready: http://${authorityOf(options.host, port)}/mcp → ${baseUrl}`)
        await stopped
        return closed(server)
      }
      const token = options.token ?? process.env['SERVICE_TOKEN']
      if (!token) throw usageError('A token is needed: give --token, or set SERVICE_TOKEN.')
      const server = mcp.serveOverStdio({ baseUrl, token, ...brand }, packageVersion(), tools)
      await Promise.race([untilSignal(), once(process.stdin, 'close')])
      await server.close()
    })
}

type Mcp = typeof import('@workspace-service/mcp/index.ts')

async function toolsOf(mcp: Mcp, { all, compact }: McpOptions): Promise<readonly AssistantTool[]> {
  if (!all && !compact) return mcp.everydayTools
  const text = await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')
  const document = JSON.parse(text) as DescribedContract
  return compact ? mcp.compactOperations(document) : [...mcp.everydayTools, ...mcp.allOperations(document)]
}
