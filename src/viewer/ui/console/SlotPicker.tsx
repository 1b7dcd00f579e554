import { useEngine, useViewer } from '../common/engine-context.ts';
import { slotChoices } from './scene-choices.ts';

interface SlotPickerProps {
  id: string;
  name: string;
  padId: string;
  value: string;
  onChange: (value: string) => void;
  'aria-invalid': boolean;
  'aria-describedby': string;
  'aria-required': boolean;
}

/** The slots of the pad chosen beside it, with the cubes in them. */
export function SlotPicker({ padId, value, onChange, ...select }: SlotPickerProps) {
  const engine = useEngine();
  const scene = useViewer((state) => state.scene);
  useViewer((state) => state.layoutVersion);
  const slots = slotChoices(scene, engine.layout()?.slots ?? [], padId);
  return (
    <select {...select} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{slots.length === 0 ? 'This pad has no slots' : 'Choose'}</option>
      {slots.map(({ index, cube }) => (
        <option key={index} value={index}>
          {index} · {cube ?? 'free'}
        </option>
      ))}
      {value !== '' && !slots.some(({ index }) => String(index) === value) && <option value={value}>{value} · not there</option>}
    </select>
  );
}
