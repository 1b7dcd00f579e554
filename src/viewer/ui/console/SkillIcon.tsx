import {
  CircleStop,
  Eye,
  Gauge,
  Grab,
  Joystick,
  ListChecks,
  type LucideIcon,
  Move3d,
  PackageOpen,
  Palette,
  PersonStanding,
  RotateCcw,
  Route,
  ScanSearch,
  Warehouse,
  Wrench,
} from 'lucide-react';
import { isRcwSkillName, type RcwSkillName } from '../../../protocol/wire/rcw-skills.ts';
import { isSkillName, type SkillName } from '../../../protocol/wire/skills.ts';

const ICONS: Record<SkillName | RcwSkillName, LucideIcon> = {
  set_velocity: Joystick,
  go_to: Route,
  pick_entity: Grab,
  place_entity: PackageOpen,
  set_head: Move3d,
  look_at: Eye,
  cancel: CircleStop,
  reset: RotateCcw,
  select_scene: Warehouse,
  set_sim_speed: Gauge,
  configure_benchmark: ListChecks,
  set_color_mode: Palette,
  stop: CircleStop,
  get_state: ScanSearch,
  set_upper_body: PersonStanding,
};

/** A skill's icon; a skill that this page does not know gets a tool. */
export function SkillIcon({ name }: { name: string }) {
  const Icon = isSkillName(name) || isRcwSkillName(name) ? ICONS[name] : name === 'runtime.cancel' ? CircleStop : Wrench;
  return <Icon size={18} aria-hidden className="call-icon" />;
}
