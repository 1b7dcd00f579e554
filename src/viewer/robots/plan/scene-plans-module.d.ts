/** The plans of all scenes, created when the page is built (`scripts/vite/scene-plans.ts`). */
declare module '*simulation/scene.ts?plans' {
  export const plans: Readonly<Record<string, import('./plan-shapes.ts').PlanShapes>>;
}
