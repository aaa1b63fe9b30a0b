export default {
  workspace: {
    input: 'openapi.sdk.yaml',
    output: {
      target: 'workspace.ts',
      client: 'fetch',
      override: { mutator: { path: 'send.ts', name: 'send' } },
    },
  },
}
