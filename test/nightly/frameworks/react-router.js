// The app that the nightly check of frameworks builds with React Router.
import { IMPORT, TEXT, WRONG } from '../apps/sources.js'
import { COMPILER_OPTIONS, REACT, TYPESCRIPT, VITE_VERSION, viteConfig } from './sources.js'

/** React Router in framework mode, with rendering on the server. */
export const reactRouter = {
  name: 'React Router',
  packages: [
    'react-router@8.4.0',
    '@react-router/dev@8.4.0',
    '@react-router/node@8.4.0',
    '@react-router/serve@8.4.0',
    'isbot@5.2.3',
    ...REACT,
    TYPESCRIPT,
    VITE_VERSION,
  ],
  config: viteConfig("import { reactRouter } from '@react-router/dev/vite'", 'reactRouter()'),
  files: {
    'tsconfig.json': JSON.stringify({
      include: ['**/*', '.react-router/types/**/*'],
      compilerOptions: { ...COMPILER_OPTIONS, rootDirs: ['.', './.react-router/types'] },
    }),
    'app/root.tsx': `import { Outlet, Scripts } from 'react-router'

export default function Root() {
  return <html lang="en"><body><Outlet /><Scripts /></body></html>
}
`,
    'app/routes.ts': `import { index, route, type RouteConfig } from '@react-router/dev/routes'

export default [index('home.tsx'), route('api/prompt', 'prompt.ts')] satisfies RouteConfig
`,
    'app/home.tsx': `import { useState } from 'react'
${IMPORT}import type { Route } from './+types/home'

export const loader = () => ({ version: prompts.supportTriage.version })

export default function Home({ loaderData: { version } }: Route.ComponentProps) {
  const [text, setText] = useState('pressed')
  return <><h1>{version}</h1><button onClick={() => setText('again')}>{text}</button></>
}
`,
    'app/prompt.ts': `${IMPORT}
export const loader = () => Response.json({ version: prompts.supportTriage.version, text: ${TEXT} })
`,
  },
  dev: (port) => ['npx', 'react-router', 'dev', '--port', port, '--host', '127.0.0.1'],
  build: ['npx', 'react-router', 'build'],
  run: () => ['npx', 'react-router-serve', './build/server/index.js'],
  output: { server: 'build/server', client: 'build/client' },
  wrong: { 'app/wrong.ts': WRONG },
  types: ['sh', '-c', 'npx react-router typegen && npx tsc'],
  client: {
    'app/home.tsx': `${IMPORT}
export default function Home() {
  return <h1>{prompts.supportTriage.version}</h1>
}
`,
  },
}
