export { promptsModule as default } from './plugin/nuxt/module.ts'
