import {
  CircleStop,
  Eye,
  Footprints,
  Gauge,
  Grab,
  Joystick,
  ListChecks,
  type LucideIcon,
  Move3d,
  PackageOpen,
  Palette,
  RotateCcw,
  Warehouse,
  Wrench,
} from 'lucide-react';

const ICONS: Record<string, LucideIcon> = {
  set_velocity: Joystick,
  go_to: Footprints,
  pick_entity: Grab,
  place_entity: PackageOpen,
  set_head: Move3d,
  look_at: Eye,
  cancel: CircleStop,
  'runtime.cancel': CircleStop,
  reset: RotateCcw,
  select_scene: Warehouse,
  set_sim_speed: Gauge,
  configure_benchmark: ListChecks,
  set_color_mode: Palette,
};

/** A skill's picture; one that this page does not know gets a tool. */
export function SkillIcon({ name }: { name: string }) {
  const Icon = ICONS[name] ?? Wrench;
  return <Icon size={18} aria-hidden className="call-icon" />;
}
