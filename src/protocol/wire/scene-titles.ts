// Made by `npm run docs` from the files in `scenes`; do not edit by hand.

/** Every scene of the product, and what people read of it when they choose one. It stands apart from the scenes, which the gate does not load. */
export const SCENES = {
  warehouse: {
    title: 'Warehouse',
    summary: 'A belt brings cubes, and a pallet waits for each colour.',
  },
  hall: {
    title: 'Hall',
    summary: 'Two tables, six cubes, and nothing that moves by itself.',
  },
  kitchen: {
    title: 'Kitchen',
    summary: 'A table to tidy: cubes lie about, and have their places on the sideboard and the rack.',
  },
  living_room: {
    title: 'Living room',
    summary: 'A sofa, low tables, shelves and a play mat, with toys all over the floor.',
  },
  maze: {
    title: 'Maze',
    summary: 'Walls as high as the chest, cubes at one end, and a marked place at each other end.',
  },
  yard: {
    title: 'Yard',
    summary: 'Crates at odd angles and narrow gaps between a belt-high bench and two pallets.',
  },
} as const satisfies Readonly<Record<string, { title: string; summary: string }>>;
