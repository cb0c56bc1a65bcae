// `npm run build`. The command of tsdown 0.21, the last one for Node 20, begins with a warning of Node 20, which is
// supported here; its function does not.
import { parseArgs } from 'node:util'
import { build } from 'tsdown'

const { values } = parseArgs({ options: { logLevel: { type: 'string' } } })
await build({ config: 'src/build/tsdown.config.ts', ...values })
