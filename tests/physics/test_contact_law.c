/* SPDX-License-Identifier: Apache-2.0
 *
 * One contact in time: the implicit step with the gap law.
 * Two-step inelastic collision, Signorini's branches, overlaps kept or expelled, Coulomb at a wall, the
 * cone's isotropy, three balls in touch.
 */
#include "support.h"

/* m = 1, dt = 1, g = 0.3, v = (1, 0): the first step closes the gap, the second stops the approach.
 * [Unger2002, eq. 5] */
static void two_step_collision(void **state) {
    (void)state;
    talus_config config = support_config(1, 1.0);
    talus_sim *sim = support_sim(&config, 0.0);
    support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(1, 0, 0));
    support_grain(sim, 0.5, 1.0, vec(1.3, 0, 0), vec(0, 0, 0));
    talus_contact contact;
    talus_body_view view = talus_sim_bodies(sim);
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(contact.force.x, 0.35, 1e-14);
    assert_near(view.velocity[0].x, 0.65, 1e-14);
    assert_near(view.velocity[1].x, 0.35, 1e-14);
    assert_near(view.position[1].x - view.position[0].x - 1.0, 0.0, 1e-14);
    support_steps(sim, 1);
    talus_sim_contacts(sim, &contact, 1);
    assert_near(contact.force.x, 0.15, 1e-14);
    support_steps(sim, 10);
    assert_near(view.velocity[0].x, 0.5, 1e-14);
    assert_near(view.velocity[1].x, 0.5, 1e-14);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_step_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
