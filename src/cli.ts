#!/usr/bin/env node
import module from 'node:module'
import process from 'node:process'

// Older versions lack names that the other files import, so Node would print a SyntaxError.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  const message = `unplugin-prompts needs Node 20.19 or newer, and this is Node ${process.versions.node}.`
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
} else {
  // Not in Node 20. Later versions cache compiled code in the system's temporary folder, so the next
  // command starts sooner.
  const { enableCompileCache } = module as typeof module & { enableCompileCache?: () => void }
  enableCompileCache?.()
  const { main } = await import('./cli/commands/main.ts')
  await main()
}
