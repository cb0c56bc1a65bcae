// The app that the nightly check of frameworks builds with TanStack Start.
import { IMPORT, TEXT } from '../apps/sources.js'
import { COMPILER_OPTIONS, REACT, TYPESCRIPT, VITE, VITE_VERSION, viteConfig } from './sources.js'

/** TanStack Start with a server function and a server route. */
export const tanstackStart = {
  name: 'TanStack Start',
  versionOf: '@tanstack/react-start',
  packages: [
    '@tanstack/react-start@1.169.5',
    '@tanstack/react-router@1.170.46',
    '@vitejs/plugin-react@6.3.0',
    ...REACT,
    TYPESCRIPT,
    VITE_VERSION,
  ],
  config: viteConfig(
    "import { tanstackStart } from '@tanstack/react-start/plugin/vite'\nimport react from '@vitejs/plugin-react'",
    'tanstackStart(), react()',
  ),
  files: {
    'tsconfig.json': JSON.stringify({
      include: ['**/*.ts', '**/*.tsx'],
      compilerOptions: COMPILER_OPTIONS,
    }),
    'src/router.tsx': `import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen'

export const getRouter = () => createRouter({ routeTree })
`,
    'src/routes/__root.tsx': `import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router'

export const Route = createRootRoute({
  component: () => (
    <html lang="en"><head><HeadContent /></head><body><Outlet /><Scripts /></body></html>
  ),
})
`,
    'src/routes/index.tsx': `import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { useState } from 'react'
${IMPORT}
const getVersion = createServerFn().handler(() => prompts.supportTriage.version)

export const Route = createFileRoute('/')({ loader: () => getVersion(), component: Home })

function Home() {
  const [text, setText] = useState('pressed')
  return <><h1>{Route.useLoaderData()}</h1><button onClick={() => setText('again')}>{text}</button></>
}
`,
    'src/routes/api/prompt.ts': `import { createFileRoute } from '@tanstack/react-router'
${IMPORT}
const answer = () => Response.json({ version: prompts.supportTriage.version, text: ${TEXT} })

export const Route = createFileRoute('/api/prompt')({ server: { handlers: { GET: answer } } })
`,
  },
  ...VITE,
  output: { server: 'dist/server', client: 'dist/client' },
  client: {
    'src/routes/index.tsx': `import { createFileRoute } from '@tanstack/react-router'
${IMPORT}
export const Route = createFileRoute('/')({
  component: () => <h1>{prompts.supportTriage.version}</h1>,
})
`,
  },
}
