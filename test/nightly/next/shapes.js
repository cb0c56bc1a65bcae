// Apps of other shapes that the nightly check of Next builds.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from '../apps/files.js'
import { has, yesIn } from '../apps/results.js'
import { serveCommand, succeed, withServer } from '../apps/run.js'
import { RENDERED } from '../apps/sources.js'
import { steps } from '../frameworks/steps.js'
import { change } from './checks.js'

/** Each returns "yes", some with seconds, or throws. */
export const shapes = {
  /** The declarations stay in the root, and `@/` is `src/`. */
  async 'in src/'(app) {
    const moved = Object.entries(app.files).map(([path, text]) => [
      /^(?:app|pages|proxy|middleware)\b/.test(path) ? `src/${path}` : path,
      text.replace('"./*"', '"./src/*"'),
    ])
    const root = scratch(app.root, 'src-app', Object.fromEntries(moved))
    writeFileSync(join(root, 'prompts.lock.json'), app.locks.old)
    await succeed(root, app.build)
    await succeed(root, app.types)
    return steps.run({ ...app, root })
  },

  /** An app in a workspace, whose lock is above it: Turbopack notices what changes there. */
  async 'in a workspace'(app) {
    const { lock, locks, build, dev, files } = app
    const root = scratch(app.root, 'apps/web', {
      ...files,
      'prompts.config.json': '{ "lock": "../../prompts.lock.json" }',
    })
    writeFileSync(lock, locks.old)
    await succeed(root, build)
    await steps.run({ ...app, root })
    try {
      return await withServer(serveCommand(root, dev), async (server) => {
        await server.ask('/api/prompt', has('v22'))
        const seconds = await change(server, () => writeFileSync(lock, locks.new))
        await server.ask('/api/prompt', has('v23'))
        return yesIn(seconds)
      })
    } finally {
      writeFileSync(lock, locks.old)
    }
  },

  /** Between wrappers that change the same settings. */
  async 'other wrappers'({ root, build, run, files }) {
    write(root, { ...files, ...WRAPPED })
    try {
      await succeed(root, build)
      await withServer(serveCommand(root, run), async (server) => {
        await server.ask('/triage', ({ text }) => text.includes(RENDERED))
        await server.ask('/guide', ({ text }) => text.includes('A guide in MDX'))
      })
    } finally {
      for (const name of Object.keys(WRAPPED)) rmSync(join(root, name))
      write(root, files)
    }
    return 'yes'
  },
}

const WRAPPED = {
  'next.config.ts': `import createBundleAnalyzer from '@next/bundle-analyzer'
import createMDX from '@next/mdx'
import type { NextConfig } from 'next'
import withPrompts from 'unplugin-prompts/next'

const withBundleAnalyzer = createBundleAnalyzer({ enabled: false })
const withMDX = createMDX()
const nextConfig: NextConfig = { pageExtensions: ['ts', 'tsx', 'mdx'] }

export default withBundleAnalyzer(withPrompts(withMDX(nextConfig)))
`,
  'mdx-components.tsx': `import type { MDXComponents } from 'mdx/types'

export const useMDXComponents = (): MDXComponents => ({})
`,
  'app/guide/page.mdx': '# A guide in MDX\n',
}

/** An app below the root, which has the packages. */
function scratch(root, name, files) {
  const app = join(root, name)
  rmSync(app, { recursive: true, force: true })
  mkdirSync(app, { recursive: true })
  write(app, { 'package.json': '{ "name": "web", "private": true, "type": "module" }', ...files })
  return app
}
