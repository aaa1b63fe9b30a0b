import type { AddressInfo } from 'node:net'
import { authorityOf } from '@workspace-service/server/kernel/listening_address.ts'
import { usageError } from './exit_codes.ts'
import { closed, listening, parseCount, PORT_MAX, untilSignal } from './listening.ts'
import { addReportOptions, announce, finishReport, parseReporting, type ReportOptions } from './reporting.ts'
import type { ServiceCommand } from './service_command.ts'

interface ProxyOptions extends ReportOptions {
  readonly target: string
  readonly host: string
  readonly port: string
  readonly maxBody: string
  readonly insecure?: true
  readonly headerBrand?: string
}

export function addProxyCommand(program: ServiceCommand): void {
  const command = program
    .command('proxy')
    .description('forward requests to a server, and report what violates the contract')
    .requiredOption('--target <url>', 'address of the server to forward requests to')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('-p, --port <port>', 'port to listen on; 0 picks a free one', '3100')
    .option('--max-body <bytes>', 'forward longer bodies without checking them', '1048576')
    .option('--insecure', 'accept any certificate of the target')
    .option('--header-brand <brand>', "prefix of the server's header names, if not `Service`")
  addReportOptions(command)
    .addHelpText(
      'after',
      `
The proxy forwards requests and responses unchanged, follows no redirects, and checks each exchange against the contract of the version in its
headers. The first SIGINT or SIGTERM ends the proxy and prints the findings, which contain no token.`,
    )
    .example('proxy --target https://workspace.example --report findings.sarif')
    .run(async (context, options: ProxyOptions) => {
      const reporting = await parseReporting(options)
      const [target, port, bodyBytesMax] = [
        targetOf(options.target),
        parseCount('--port', options.port, PORT_MAX),
        parseCount('--max-body', options.maxBody),
      ]
      const [{ checkingProxy }, { Run }, { BrandForms }] = await Promise.all([
        import('@workspace-service/conformance/checking_proxy.ts'),
        import('@workspace-service/conformance/run.ts'),
        import('@workspace-service/conformance/brand_forms.ts'),
      ])
      const forms = BrandForms.of(options.headerBrand)
      const run = new Run('proxy', target.origin, reporting.allowed, (group) => announce(context, group), forms)
      const server = checkingProxy({
        target,
        bodyBytesMax,
        isInsecure: options.insecure ?? false,
        onExchange: (exchange) => void run.checkExchange(exchange),
        onFailure: ({ message }) => context.output.note(`The target did not respond: ${message}`),
      })
      const stopped = untilSignal()
      await listening(server, options.host, port)
      const { port: own } = server.address() as AddressInfo
      context.output.note(`The proxy is ready: http://${authorityOf(options.host, own)} → ${target.origin}`)
      await stopped
      await closed(server)
      await finishReport(context, run, reporting, [])
    })
}

/** @throws CommandError if the address is not that of a server */
export function targetOf(text: string): URL {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw usageError(`The address of a server begins with http:// or https://, found "${text}".`)
  if (url.username || url.password) throw usageError('The address must not contain a password.')
  if (url.pathname !== '/' || url.search || url.hash) throw usageError('The address must end after host and port.')
  return url
}
