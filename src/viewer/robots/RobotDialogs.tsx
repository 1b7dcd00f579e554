import { useState } from 'react';
import { ROBOT_TEXT_MAX_LENGTH } from '../../protocol/client-models/http.ts';
import type { Robot } from '../../protocol/service/control-service.ts';
import { ROBOT_MODEL_NAMES } from '../../protocol/wire/robot-model-names.ts';
import { PageDialog } from '../ui/common/PageDialog.tsx';
import { attempt } from './account.ts';
import { FormDialog, TextField, textOf, wrong } from './FormDialog.tsx';
import { nameText } from './robot-texts.ts';
import { Secret } from './Secret.tsx';
import { useAccount, useRobotsStore } from './store-context.ts';

/** The properties that all dialogs share. `onDone` receives a sentence, for people who do not see the list. */
interface DialogProps {
  onDone: (text: string) => void;
  onClose: () => void;
}

const NAME_MISSING = 'The robot needs a name. Type one.';

/** Creates a virtual robot, and shows its PIN once. */
export function NewRobotDialog({ onDone, onClose }: DialogProps) {
  const account = useAccount();
  const store = useRobotsStore();
  const [made, setMade] = useState<{ name: string; pinCode: string } | null>(null);
  if (made !== null) {
    return (
      <PageDialog
        title={`${made.name} is made`}
        description="This is its PIN, shown only once. With it, you can claim the robot again if it has no owner."
        onClose={onClose}
      >
        <Secret label="PIN" value={made.pinCode} />
        <div className="form-dialog-foot cluster">
          <button type="button" className="button button-main" onClick={onClose}>
            Done
          </button>
        </div>
      </PageDialog>
    );
  }
  return (
    <FormDialog
      title="New robot"
      description="A virtual robot of your own. It lives in the browser tab that you open it in, or in a worker."
      submitText="Make it"
      busyText="Making it …"
      onSubmit={async (form) => {
        const name = textOf(form, 'name');
        if (name === '') return wrong(NAME_MISSING);
        const result = await attempt(account.robots.create({ name, model: textOf(form, 'model') }));
        if (!result.ok) return result;
        store.look(true);
        onDone(`${nameText(result.value.robot)} is made.`);
        setMade({ name: nameText(result.value.robot), pinCode: result.value.pin_code });
        return null;
      }}
      onClose={onClose}
    >
      <TextField name="name" label="Name" maxLength={ROBOT_TEXT_MAX_LENGTH} placeholder="Ada" />
      <div className="field stack gap-1">
        <label htmlFor="field-model">Model</label>
        <select id="field-model" name="model" className="input">
          {Object.entries(ROBOT_MODEL_NAMES).map(([id, model]) => (
            <option key={id} value={model}>
              {id === 'humanoid' ? 'Humanoid: walks, two arms' : 'Picker: rolls, one arm'} ({model})
            </option>
          ))}
        </select>
      </div>
    </FormDialog>
  );
}

export function RenameDialog({ robot, onDone, onClose }: DialogProps & { robot: Robot }) {
  const account = useAccount();
  const store = useRobotsStore();
  return (
    <FormDialog
      title={`Rename ${nameText(robot)}`}
      description="Programs use the id of the robot, which does not change."
      submitText="Rename"
      busyText="Renaming …"
      onSubmit={async (form) => {
        const name = textOf(form, 'name');
        if (name === '') return wrong(NAME_MISSING);
        const result = await attempt(account.robots.update(robot.id, { name }));
        if (!result.ok) return result;
        store.look(true);
        onDone(`${nameText(robot)} is now ${nameText(result.value)}.`);
        return result;
      }}
      onClose={onClose}
    >
      <TextField name="name" label="Name" initial={robot.name} maxLength={ROBOT_TEXT_MAX_LENGTH} />
    </FormDialog>
  );
}

/** Claims a physical robot with its PIN. */
export function ClaimDialog({ onDone, onClose }: DialogProps) {
  const account = useAccount();
  const store = useRobotsStore();
  return (
    <FormDialog
      title="Claim a robot"
      description="The operator of the service has its id and its PIN. It is yours alone until you delete it here. After a few wrong PINs you have to wait."
      submitText="Claim it"
      busyText="Claiming it …"
      onSubmit={async (form) => {
        const [robotId, pinCode] = [textOf(form, 'robot_id'), textOf(form, 'pin')];
        if (robotId === '') return wrong('The id of the robot is missing. Type or paste it.');
        if (pinCode === '') return wrong('The PIN of the robot is missing. Type it.');
        const result = await attempt(account.robots.claim(robotId, pinCode));
        if (!result.ok) return result;
        store.look(true);
        onDone(`${nameText(result.value)} is yours.`);
        return result;
      }}
      onClose={onClose}
    >
      <TextField name="robot_id" label="Id of the robot" />
      <TextField name="pin" label="PIN" isSecret maxLength={64} />
    </FormDialog>
  );
}

/** Asks for confirmation before a robot is deleted. */
export function DeleteDialog({ robot, onDone, onClose }: DialogProps & { robot: Robot }) {
  const account = useAccount();
  const store = useRobotsStore();
  const isVirtual = robot.type === 'virtual';
  return (
    <FormDialog
      title={isVirtual ? `Delete ${nameText(robot)}?` : `Give ${nameText(robot)} up?`}
      description={
        isVirtual
          ? 'Its session ends, all participants are removed from its room, and the robot is gone. This cannot be undone.'
          : 'Its session ends, all participants are removed from its room, and the robot has no owner. To claim it again you need a new PIN from the operator of the service.'
      }
      submitText={isVirtual ? 'Delete it' : 'Give it up'}
      busyText={isVirtual ? 'Deleting it …' : 'Giving it up …'}
      isDangerous
      onSubmit={async () => {
        const result = await attempt(account.robots.delete(robot.id));
        if (!result.ok) return result;
        store.look(true);
        onDone(`${nameText(robot)} is ${isVirtual ? 'deleted' : 'given up'}.`);
        return result;
      }}
      onClose={onClose}
    />
  );
}
